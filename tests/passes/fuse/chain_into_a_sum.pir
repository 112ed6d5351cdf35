; pass: fuse, canonicalize, cse, dce
; count: map = 1
; count: mul in maps = 1
; count: add in maps = 1
; run: @f([1.0, 2.0], [3.0, 4.0], 1.0) = 13.0
; run: @f([1.0, 2.0], [3.0], 1.0) = 11.0
; run: @f([1.0, 2.0], [3.0, 4.0, 5.0], 1.0) raises ValueError
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0, %2: f64) -> (f64) {
  %3: array<f64, 1> in m1 = mul %0, %1 !r m0
  %4: array<f64, 1> in m2 = add %3, %2 !r m1
  %5: f64 = reduce[sum] %4 !r m2
  return %5
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0, %2: f64) -> (f64) {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: i64 = const 1
  %6: bool = eq %3, %4
  %7: bool = eq %3, %5
  %8: bool = eq %4, %5
  %9: bool = or %7, %8
  %10: bool = or %6, %9
  check[ValueError, "operands could not be broadcast together with shapes ({0},) ({1},) "] %10, %3, %4
  %11: f64 = map[reduce sum] %0, %1 !r m0 {
  (%12: f64, %13: f64):
    %14: f64 = mul %12, %13
    %15: f64 = add %14, %2
    yield %15
  }
  return %11
}
