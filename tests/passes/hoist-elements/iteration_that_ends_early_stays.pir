; An iteration that goes on with the next one stands nowhere but in its loop.
; pass: hoist-elements
; count: for = 1
; run: @f([1.0, -2.0, 3.0], 0) = [0.0, -2.0, 3.0]
func @f loop fast (%x: array<f64, 1>, %k: i64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %x
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  for %zero, %n, %one {
  (%j: i64):
    %own: f64 = load_raw %x, %j
    %less: bool = lt %own, %none
    if %less {
      continue[0]
    } else {
      yield
    }
    %pivot: f64 = load_raw %x, %k
    %left: f64 = sub %own, %pivot
    store_raw %x, %left, %j
    continue[0]
  }
  return %x
}
