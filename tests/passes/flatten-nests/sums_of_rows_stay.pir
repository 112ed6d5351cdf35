; The inner loop needs each iteration before the next.
; pass: flatten-nests
; count: pfor = 1
; count: floordiv = 0
; run: @f([[1.0, 2.0], [3.0, 4.0]], [0.0, 0.0]) = [3.0, 7.0]
func @f loop fast device (%0: array<f64, 2> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: i64 = dim[1] %0
  pfor[| sliced write [i], sliced read [i, 0 ..= n1.1 - 1]] %2, %4, %3, %1, %0 !r m0|m1 !w m1 {
  (%6: i64):
    for %2, %5, %3 !r m0|m1 !w m1 {
    (%8: i64):
      %9: f64 = load_raw %1, %6 !r m1
      %10: f64 = load_raw %0, %6, %8 !r m0
      %11: f64 = add %9, %10
      store_raw %1, %11, %6 !w m1
      continue[0]
    }
    continue[0]
  }
  return %1
}
