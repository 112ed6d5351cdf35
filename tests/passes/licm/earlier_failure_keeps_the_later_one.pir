; The exceptions keep their order: first that of the division.
; pass: licm
; count: load in loops = 1
; run: @f([], 2, 0) raises ZeroDivisionError
; run: @f([], 2, 1) raises IndexError
func @f array (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> (f64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: f64 = for %3, %1, %4, %5 !r m0 {
  (%7: i64, %8: f64):
    %9: i64 = floordiv %7, %2
    %10: f64 = load %0, %3 !r m0
    %11: f64 = cast %9
    %12: f64 = mul %10, %11
    %13: f64 = add %8, %12
    continue[0] %13
  }
  return %6
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> (f64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: f64 = for %3, %1, %4, %5 !r m0 {
  (%7: i64, %8: f64):
    %9: i64 = floordiv %7, %2
    %10: f64 = load %0, %3 !r m0
    %11: f64 = cast %9
    %12: f64 = mul %10, %11
    %13: f64 = add %8, %12
    continue[0] %13
  }
  return %6
}
