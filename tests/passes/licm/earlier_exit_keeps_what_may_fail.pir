; The loop may end before the load.
; pass: licm
; count: load in loops = 1
; run: @f([], 3, True) = 0
; run: @f([], 3, False) raises IndexError
func @f array (%0: array<f64, 1> in m0, %1: i64, %2: bool) -> (i64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: i64 = for %3, %1, %4, %3 !r m0 {
  (%7: i64, %8: i64):
    if %2 {
      break[0] %8
    } else {
      yield
    }
    %9: f64 = load %0, %3 !r m0
    %10: bool = gt %9, %5
    %11: i64 = cast %10
    continue[0] %11
  }
  return %6
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64, %2: bool) -> (i64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: i64 = for %3, %1, %4, %3 !r m0 {
  (%7: i64, %8: i64):
    if %2 {
      break[0] %8
    } else {
      yield
    }
    %9: f64 = load %0, %3 !r m0
    %10: bool = gt %9, %5
    %11: i64 = cast %10
    continue[0] %11
  }
  return %6
}
