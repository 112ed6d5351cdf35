; pass: canonicalize
; count: dim = 0
; run: @f(3, 4) = 3, 4, 1, 4, 3
func @f array (%0: i64, %1: i64) -> (i64, i64, i64, i64, i64) {
  %2: i64 = const 0
  %3: array<f64, 2> in m0 = zeros %0, %1
  %4: i64 = dim[0] %3
  %5: array<f64, 2> in m0 = transpose[1, 0] %3
  %6: i64 = dim[0] %5
  %7: array<f64, 3> in m0 = view[:, new, :] %3
  %8: i64 = dim[1] %7
  %9: array<f64, 2> in m1 = copy %3 !r m0
  %10: i64 = dim[1] %9
  %11: array<f64, 1> in m0 = view[:, at] %3, %2
  %12: i64 = dim[0] %11
  return %4, %6, %8, %10, %12
}
; ---- after
func @f array (%0: i64, %1: i64) -> (i64, i64, i64, i64, i64) {
  %2: i64 = const 0
  %3: array<f64, 2> in m0 = zeros %0, %1
  %4: array<f64, 2> in m0 = transpose[1, 0] %3
  %5: array<f64, 3> in m0 = view[:, new, :] %3
  %6: i64 = const 1
  %7: array<f64, 2> in m1 = copy %3 !r m0
  %8: array<f64, 1> in m0 = view[:, at] %3, %2
  return %0, %1, %6, %1, %0
}
