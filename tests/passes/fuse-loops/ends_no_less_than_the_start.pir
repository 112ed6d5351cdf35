; A loop to an end, and one to that end or 0, whichever is greater, have the same iterations.
; pass: fuse-loops
; count: for = 1
; run: @f([1.0, 2.0, 4.0], 2) = [2.0, 4.0]
; run: @f([1.0, 2.0, 4.0], -2) = []
func @f loop fast (%x: array<f64, 1>, %n: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %length: i64 = max %n, %zero
  %a: array<f64, 1> = empty %length
  for %zero, %n, %one {
  (%i: i64):
    %v: f64 = load_raw %x, %i
    store_raw %a, %v, %i
    continue[0]
  }
  %b: array<f64, 1> = empty %length
  for %zero, %length, %one {
  (%j: i64):
    %u: f64 = load_raw %a, %j
    %w: f64 = add %u, %u
    store_raw %b, %w, %j
    continue[0]
  }
  return %b
}
