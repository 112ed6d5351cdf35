; Iterations before the one that writes the element see it as it was, those behind as it is then; a loop that does not reach it sees it as it was.
; pass: hoist-elements
; count: for = 4
; run: @f([1.0, 2.0, 3.0, 4.0], 1, 0, 4) = [-1.0, 0.0, 3.0, 4.0]
; run: @f([1.0, 2.0, 3.0, 4.0], 0, 0, 4) = [0.0, 2.0, 3.0, 4.0]
; run: @f([1.0, 2.0, 3.0, 4.0], 3, 0, 4) = [-3.0, -2.0, -1.0, 0.0]
; run: @f([1.0, 2.0, 3.0, 4.0], 3, 0, 2) = [-3.0, -2.0, 3.0, 4.0]
; run: @f([1.0, 2.0, 3.0, 4.0], 0, 1, 4) = [1.0, 1.0, 2.0, 3.0]
; run: @f([1.0, 2.0], 7, 1, 1) = [1.0, 2.0]
; run: @f([nan, 2.0], 1, 0, 2) = [nan, 0.0]
func @f loop fast (%x: array<f64, 1>, %k: i64, %from: i64, %to: i64) -> (array<f64, 1>) {
  %one: i64 = const 1
  for %from, %to, %one {
  (%j: i64):
    %own: f64 = load_raw %x, %j
    %pivot: f64 = load_raw %x, %k
    %left: f64 = sub %own, %pivot
    store_raw %x, %left, %j
    continue[0]
  }
  return %x
}
