; Two elements of the row that is written: two iterations would have to be watched.
; pass: hoist-elements
; count: for = 1
; run: @f([1.0, 2.0, 3.0]) = [-2.0, 2.0, 3.0]
func @f loop fast (%x: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %x
  %zero: i64 = const 0
  %one: i64 = const 1
  for %zero, %n, %one {
  (%j: i64):
    %own: f64 = load_raw %x, %j
    %first: f64 = load_raw %x, %zero
    %second: f64 = load_raw %x, %one
    %less: f64 = sub %own, %first
    %left: f64 = sub %less, %second
    store_raw %x, %left, %j
    continue[0]
  }
  return %x
}
