; Each element would be computed again for each row.
; pass: forward
; count: for = 3
; run: @f([1.0, 2.0], 2) = [4.0, 8.0]
func @f loop fast (%a: array<f64, 1>, %rows: i64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %t: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %z: f64 = add %x, %x
    store_raw %t, %z, %i
    continue[0]
  }
  %r: array<f64, 1> = zeros %n
  for %zero, %rows, %one {
  (%k: i64):
    for %zero, %n, %one {
    (%j: i64):
      %u: f64 = load_raw %t, %j
      %w: f64 = load_raw %r, %j
      %v: f64 = add %u, %w
      store_raw %r, %v, %j
      continue[0]
    }
    continue[0]
  }
  return %r
}
