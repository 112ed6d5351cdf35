; pass: lower
; count: pfor = 1
; count: check in loops = 0
; run: @f([1.0, 2.0]) = 3.0
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = dim[0] %0
  %5: f64 = pfor[sum] %1, %4, %2, %3 !r m0 {
  (%6: i64, %7: f64):
    %8: f64 = load %0, %6 !r m0
    %9: f64 = add %7, %8
    continue[0] %9
  }
  return %5
}
