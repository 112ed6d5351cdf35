; pass: prove-bounds
; count: check = 0
; count: select = 0
; run: @f([1.0, 2.0, 4.0]) = 7.0
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const 0.0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = for %3, %1, %4, %2 !r m0 {
  (%6: i64, %7: f64):
    %8: i64 = add %6, %4
    %9: i64 = const 0
    %10: bool = ne %1, %9
    check[ZeroDivisionError, "integer division or modulo by zero"] %10
    %11: i64 = mod %8, %1
    %12: i64 = add %11, %1
    %13: bool = lt %11, %3
    %14: i64 = select %13, %12, %11
    %15: u64 = cast %14
    %16: u64 = cast %1
    %17: bool = lt %15, %16
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %17, %11, %1
    %18: f64 = load_raw %0, %14 !r m0
    %19: f64 = add %7, %18
    continue[0] %19
  }
  return %5
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const 0.0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = for %3, %1, %4, %2 !r m0 {
  (%6: i64, %7: f64):
    %8: i64 = add %6, %4
    %9: i64 = const 0
    %10: bool = ne %1, %9
    %11: i64 = mod %8, %1
    %12: i64 = add %11, %1
    %13: bool = lt %11, %3
    %14: u64 = cast %11
    %15: u64 = cast %1
    %16: bool = lt %14, %15
    %17: f64 = load_raw %0, %11 !r m0
    %18: f64 = add %7, %17
    continue[0] %18
  }
  return %5
}
