; pass: licm
; count: load in loops = 0
; run: @f([2.0], 3) = 6.0
; run: @f([], 0) = 0.0
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const -1
  %4: f64 = const 0.0
  %5: f64 = for %1, %2, %3, %4 !r m0 {
  (%6: i64, %7: f64):
    %8: f64 = load %0, %2 !r m0
    %9: f64 = add %7, %8
    continue[0] %9
  }
  return %5
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const -1
  %4: f64 = const 0.0
  %5: bool = gt %1, %2
  %6: f64 = if %5 !r m0 {
    %7: f64 = load %0, %2 !r m0
    %8: f64 = for %1, %2, %3, %4 {
    (%9: i64, %10: f64):
      %11: f64 = add %10, %7
      continue[0] %11
    }
    yield %8
  } else {
    yield %4
  }
  return %6
}
