; It is raised before the print, by a check.
; pass: fuse, dce
; count: check = 1
; count: map = 1
; run: @f([1.0, 2.0], [1.0, 2.0, 3.0]) raises ValueError
; run: @f([1.0, 2.0], [1.0]) = 5.0
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (f64) {
  %2: f64 = const 1.0
  %3: array<f64, 1> in m1 = add %0, %1 !r m0
  print[weak] %2
  %4: f64 = reduce[sum] %3 !r m1
  return %4
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (f64) {
  %2: f64 = const 1.0
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: i64 = const 1
  %6: bool = eq %3, %4
  %7: bool = eq %3, %5
  %8: bool = eq %4, %5
  %9: bool = or %7, %8
  %10: bool = or %6, %9
  check[ValueError, "operands could not be broadcast together with shapes ({0},) ({1},) "] %10, %3, %4
  print[weak] %2
  %11: f64 = map[reduce sum] %0, %1 !r m0 {
  (%12: f64, %13: f64):
    %14: f64 = add %12, %13
    yield %14
  }
  return %11
}
