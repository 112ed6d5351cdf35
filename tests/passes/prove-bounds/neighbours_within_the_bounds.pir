; pass: prove-bounds
; count: check = 0
; count: select = 0
; run: @f([1.0, 2.0, 4.0, 8.0]) = 12.0
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const 0.0
  %3: i64 = const 1
  %4: i64 = sub %1, %3
  %5: f64 = const 0.5
  %6: f64 = for %3, %4, %3, %2 !r m0 {
  (%7: i64, %8: f64):
    %9: i64 = add %7, %3
    %10: f64 = load_raw %0, %9 !r m0
    %11: i64 = sub %7, %3
    %12: f64 = load_raw %0, %11 !r m0
    %13: f64 = sub %10, %12
    %14: f64 = load_raw %0, %7 !r m0
    %15: f64 = mul %5, %14
    %16: f64 = add %13, %15
    %17: f64 = add %8, %16
    continue[0] %17
  }
  return %6
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const 0.0
  %3: i64 = const 1
  %4: i64 = sub %1, %3
  %5: f64 = const 0.5
  %6: f64 = for %3, %4, %3, %2 !r m0 {
  (%7: i64, %8: f64):
    %9: i64 = add %7, %3
    %10: f64 = load_raw %0, %9 !r m0
    %11: i64 = sub %7, %3
    %12: f64 = load_raw %0, %11 !r m0
    %13: f64 = sub %10, %12
    %14: f64 = load_raw %0, %7 !r m0
    %15: f64 = mul %5, %14
    %16: f64 = add %13, %15
    %17: f64 = add %8, %16
    continue[0] %17
  }
  return %6
}
