; The scalar is reduced by the loop over parts, and carried through each part.
; pass: privatize
; count: pfor = 1
; count: for = 3
; run: @f([5.0], [2.0, 4.0]) = 6.0
func @f array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: i64 = dim[0] %1
  %6: f64 = pfor[sum | reduced sum, sliced read [i]] %2, %5, %3, %4, %0, %1 !r m0|m1 !w m0 {
  (%7: i64, %8: f64):
    %9: f64 = load %1, %7 !r m1
    %10: f64 = load %0, %2 !r m0
    %11: f64 = max %10, %9
    store %0, %11, %2 !w m0
    %12: f64 = add %8, %9
    continue[0] %12
  }
  return %6
}
