; What is taken away where the condition does not hold.
; pass: conditional-sums
; count: if = 1
; run: @f([1.0, 4.0, 2.0, 8.0], 1.5) = -1.0
func @f loop fast (%0: array<f64, 1>, %1: f64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: f64 = const -0.0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = for %4, %2, %5, %3 {
  (%7: i64, %8: f64):
    %9: f64 = load_raw %0, %7
    %10: bool = gt %9, %1
    %11: f64 = if %10 {
      yield %8
    } else {
      %12: f64 = sub %8, %9
      yield %12
    }
    continue[0] %11
  }
  return %6
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: f64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: f64 = const -0.0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = for %4, %2, %5, %3 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = load_raw %0, %7 !r m0
    %10: bool = gt %9, %1
    %11: f64 = if %10 {
      %12: f64 = const 0.0
      yield %12
    } else {
      yield %9
    }
    %13: f64 = sub %8, %11
    continue[0] %13
  }
  return %6
}
