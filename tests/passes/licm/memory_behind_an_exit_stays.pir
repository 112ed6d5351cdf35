; pass: licm
; count: zeros in loops = 1
; run: @f(3, True) = 0.0
func @f array (%0: i64, %1: bool) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: i64 = const 1000000000000000000
  %6: f64 = for %2, %0, %3, %4 !r m0 {
  (%7: i64, %8: f64):
    if %1 {
      break[0] %8
    } else {
      yield
    }
    %9: array<f64, 1> in m0 = zeros %5
    %10: f64 = load %9, %7 !r m0
    %11: f64 = add %8, %10
    continue[0] %11
  }
  return %6
}
; ---- after
func @f array (%0: i64, %1: bool) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: i64 = const 1000000000000000000
  %6: f64 = for %2, %0, %3, %4 !r m0 {
  (%7: i64, %8: f64):
    if %1 {
      break[0] %8
    } else {
      yield
    }
    %9: array<f64, 1> in m0 = zeros %5
    %10: f64 = load %9, %7 !r m0
    %11: f64 = add %8, %10
    continue[0] %11
  }
  return %6
}
