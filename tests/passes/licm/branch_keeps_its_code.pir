; It does not move code out of branches.
; pass: licm
; count: load in loops = 1
; run: @f([], 3, False) = 0.0
func @f array (%0: array<f64, 1> in m0, %1: i64, %2: bool) -> (f64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: f64 = for %3, %1, %4, %5 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = if %2 !r m0 {
      %10: f64 = load %0, %3 !r m0
      yield %10
    } else {
      yield %8
    }
    continue[0] %9
  }
  return %6
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64, %2: bool) -> (f64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: f64 = for %3, %1, %4, %5 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = if %2 !r m0 {
      %10: f64 = load %0, %3 !r m0
      yield %10
    } else {
      yield %8
    }
    continue[0] %9
  }
  return %6
}
