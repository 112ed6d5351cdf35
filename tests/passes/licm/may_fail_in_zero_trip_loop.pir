; The step decides whether the loop runs; without knowing it, nothing that may raise moves.
; pass: licm
; count: load in loops = 1
; count: mul in loops = 0
; run: @f([], 0, 1, 2.0) = 0.0
; run: @f([3.0], 2, 1, 2.0) = 14.0
; run: @f([], 2, 1, 2.0) raises IndexError
; run: @f([3.0], 2, 0, 2.0) raises ValueError
func @f array (%0: array<f64, 1> in m0, %1: i64, %2: i64, %3: f64) -> (f64) {
  %4: i64 = const 0
  %5: f64 = const 0.0
  %6: f64 = for %4, %1, %2, %5 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = mul %3, %3
    %10: f64 = load %0, %4 !r m0
    %11: f64 = add %10, %9
    %12: f64 = add %8, %11
    continue[0] %12
  }
  return %6
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64, %2: i64, %3: f64) -> (f64) {
  %4: i64 = const 0
  %5: f64 = const 0.0
  %6: f64 = mul %3, %3
  %7: f64 = for %4, %1, %2, %5 !r m0 {
  (%8: i64, %9: f64):
    %10: f64 = load %0, %4 !r m0
    %11: f64 = add %10, %6
    %12: f64 = add %9, %11
    continue[0] %12
  }
  return %7
}
