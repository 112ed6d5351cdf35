; pass: prove-bounds
; count: check = 0
; count: select = 0
; run: @f([1.0, 2.0, 4.0, 8.0, 16.0]) = 41.0
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const 0.0
  %3: i64 = const 1
  %4: i64 = sub %1, %3
  %5: i64 = const 0
  %6: i64 = const -2
  %7: f64 = for %4, %5, %6, %2 !r m0 {
  (%8: i64, %9: f64):
    %10: f64 = load_raw %0, %8 !r m0
    %11: f64 = add %9, %10
    continue[0] %11
  }
  %12: i64 = const 2
  %13: f64 = for %5, %1, %12, %7 !r m0 {
  (%14: i64, %15: f64):
    %16: f64 = load_raw %0, %14 !r m0
    %17: f64 = add %15, %16
    continue[0] %17
  }
  return %13
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const 0.0
  %3: i64 = const 1
  %4: i64 = sub %1, %3
  %5: i64 = const 0
  %6: i64 = const -2
  %7: f64 = for %4, %5, %6, %2 !r m0 {
  (%8: i64, %9: f64):
    %10: f64 = load_raw %0, %8 !r m0
    %11: f64 = add %9, %10
    continue[0] %11
  }
  %12: i64 = const 2
  %13: f64 = for %5, %1, %12, %7 !r m0 {
  (%14: i64, %15: f64):
    %16: f64 = load_raw %0, %14 !r m0
    %17: f64 = add %15, %16
    continue[0] %17
  }
  return %13
}
