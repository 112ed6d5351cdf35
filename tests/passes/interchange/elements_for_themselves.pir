; Each element only needs itself: all its steps are done at once, in registers.
; pass: interchange
; count: for = 2
; count: load_raw = 2
; count: store_raw = 1
; run: @f([1.0, 2.0, 0.5], [2.0, 2.0, 4.0], 2) = [0.0, -40.0, 0.0]
; run: @f([1.0, 2.0, 0.5], [2.0, 2.0, 4.0], 0) = [1.0, 2.0, 0.5]
; run: @f([], [], 3) = []
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %whole: f64 = const 1.0
  for %zero, %steps, %one {
  (%t: i64):
    for %zero, %n, %one {
    (%i: i64):
      %x: f64 = load_raw %a, %i
      %r: f64 = load_raw %b, %i
      %y: f64 = sub %whole, %x
      %z: f64 = mul %x, %y
      %w: f64 = mul %z, %r
      %v: f64 = sub %w, %y
      %u: f64 = add %v, %y
      store_raw %a, %u, %i
      continue[0]
    }
    continue[0]
  }
  return %a
}
