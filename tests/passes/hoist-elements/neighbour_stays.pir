; An iteration that needs the one before it cannot run first.
; pass: hoist-elements
; count: for = 1
; run: @f([1.0, 2.0, 3.0]) = [1.0, 4.0, 8.0]
func @f loop fast (%x: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %x
  %zero: i64 = const 0
  %one: i64 = const 1
  for %one, %n, %one {
  (%j: i64):
    %before: i64 = sub %j, %one
    %own: f64 = load_raw %x, %j
    %last: f64 = load_raw %x, %before
    %fixed: f64 = load_raw %x, %zero
    %sum: f64 = add %own, %last
    %all: f64 = add %sum, %fixed
    store_raw %x, %all, %j
    continue[0]
  }
  return %x
}
