; The iteration that writes the element stores another one as well, and does not run again where the element stays as it was.
; pass: hoist-elements
; count: for = 4
; run: @f([2.0, 4.0, 6.0], [0.0, 0.0, 0.0], 1) = [4.0, 4.0, 4.0]
; run: @f([2.0, 0.0, 6.0], [0.0, 0.0, 0.0], 1) = [0.0, 0.0, 0.0]
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>, %k: i64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  for %zero, %n, %one {
  (%j: i64):
    %before: f64 = load_raw %b, %j
    %pivot: f64 = load_raw %a, %k
    %sum: f64 = add %before, %pivot
    store_raw %b, %sum, %j
    store_raw %a, %pivot, %j
    continue[0]
  }
  return %b
}
