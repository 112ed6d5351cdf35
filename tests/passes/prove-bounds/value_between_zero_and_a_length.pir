; One comparison asks for both.
; pass: prove-bounds
; count: if = 0
; run: @f([1.0, 2.0, 4.0], [0, -1, 2, 3]) = 5.0
; run: @f([1.0], [9223372036854775807, -9223372036854775808]) = 0.0
func @f loop fast (%0: array<f64, 1> in m0, %1: array<i64, 1> in m1) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: f64 = for %5, %3, %6, %4 !r m0|m1 {
  (%8: i64, %9: f64):
    %10: i64 = load_raw %1, %8 !r m1
    %11: bool = ge %10, %5
    %12: bool = if %11 {
      %13: bool = lt %10, %2
      yield %13
    } else {
      %14: bool = const false
      yield %14
    }
    %15: i64 = select %12, %10, %5
    %16: f64 = load_raw %0, %15 !r m0
    %17: f64 = select %12, %16, %4
    %18: f64 = add %9, %17
    continue[0] %18
  }
  return %7
}
