; pass: prove-bounds
; count: check = 1
; run: @f([1.0, 2.0], [0, -1]) = 3.0
; run: @f([1.0, 2.0], [2]) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: array<i64, 1> in m1) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: f64 = for %5, %3, %6, %4 !r m0|m1 {
  (%8: i64, %9: f64):
    %10: i64 = load_raw %1, %8 !r m1
    %11: i64 = add %10, %2
    %12: bool = lt %10, %5
    %13: i64 = select %12, %11, %10
    %14: u64 = cast %13
    %15: u64 = cast %2
    %16: bool = lt %14, %15
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %16, %10, %2
    %17: f64 = load_raw %0, %13 !r m0
    %18: f64 = add %9, %17
    continue[0] %18
  }
  return %7
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<i64, 1> in m1) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: f64 = for %5, %3, %6, %4 !r m0|m1 {
  (%8: i64, %9: f64):
    %10: i64 = load_raw %1, %8 !r m1
    %11: i64 = add %10, %2
    %12: bool = lt %10, %5
    %13: i64 = select %12, %11, %10
    %14: u64 = cast %13
    %15: u64 = cast %2
    %16: bool = lt %14, %15
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %16, %10, %2
    %17: f64 = load_raw %0, %13 !r m0
    %18: f64 = add %9, %17
    continue[0] %18
  }
  return %7
}
