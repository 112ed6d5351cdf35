; An element of a row that is another one is not written; if it is the same, the loop stays as it is.
; pass: hoist-elements
; count: for = 2
; run: @f([[2.0, 4.0], [6.0, 8.0]], 1, 0) = [[2.0, 4.0], [3.0, 4.0]]
; run: @f([[2.0, 4.0], [6.0, 8.0]], 0, 0) = [[1.0, 4.0], [6.0, 8.0]]
func @f loop fast (%a: array<f64, 2>, %i: i64, %k: i64) -> (array<f64, 2>) {
  %n: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  for %zero, %n, %one {
  (%j: i64):
    %own: f64 = load_raw %a, %i, %j
    %pivot: f64 = load_raw %a, %k, %k
    %part: f64 = div %own, %pivot
    store_raw %a, %part, %i, %j
    continue[0]
  }
  return %a
}
