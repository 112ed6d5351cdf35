; The check fails also where the inner loop has no iterations.
; pass: flatten-nests
; count: pfor = 1
; count: floordiv = 0
; run: @f([[1.0], [2.0]], 3) = [[1.0], [2.0]]
; run: @f([[], []], 1) raises ValueError
func @f loop fast device (%0: array<f64, 2> in m0, %1: i64) -> (array<f64, 2>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: i64 = dim[1] %0
  pfor[| sliced write [i, 0 ..= n0.1 - 1]] %2, %4, %3, %0 !r m0 !w m0 {
  (%6: i64):
    %7: bool = lt %6, %1
    check[ValueError, "too far"] %7
    for %2, %5, %3 !r m0 !w m0 {
    (%8: i64):
      %9: f64 = load_raw %0, %6, %8 !r m0
      store_raw %0, %9, %6, %8 !w m0
      continue[0]
    }
    continue[0]
  }
  return %0
}
