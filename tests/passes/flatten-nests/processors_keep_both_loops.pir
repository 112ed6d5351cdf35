; A thread of a processor takes whole rows.
; pass: flatten-nests
; count: pfor = 1
; count: for = 1
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = [[2.0, 4.0], [6.0, 8.0]]
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: i64 = dim[1] %0
  pfor[| sliced write [i, 0 ..= n0.1 - 1]] %2, %4, %3, %0 !r m0 !w m0 {
  (%6: i64):
    for %2, %5, %3 !r m0 !w m0 {
    (%8: i64):
      %9: f64 = load_raw %0, %6, %8 !r m0
      %10: f64 = add %9, %9
      store_raw %0, %10, %6, %8 !w m0
      continue[0]
    }
    continue[0]
  }
  return %0
}
