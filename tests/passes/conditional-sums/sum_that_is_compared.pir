; The branch asks what the sum is so far.
; pass: conditional-sums
func @f loop fast (%0: array<f64, 1>, %1: f64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = for %4, %2, %5, %3 {
  (%7: i64, %8: f64):
    %9: f64 = load_raw %0, %7
    %10: bool = gt %8, %1
    %11: f64 = if %10 {
      yield %8
    } else {
      %12: f64 = add %8, %9
      yield %12
    }
    continue[0] %11
  }
  return %6
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: f64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: f64 = const 0.0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = for %4, %2, %5, %3 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = load_raw %0, %7 !r m0
    %10: bool = gt %8, %1
    %11: f64 = if %10 {
      yield %8
    } else {
      %12: f64 = add %8, %9
      yield %12
    }
    continue[0] %11
  }
  return %6
}
