; Only what is summed stands in several parts.
; pass: split-sums
; count: for = 2
; run: @f([1.0, 2.0, 4.0, 8.0, 16.0, 32.0], [0, 1, 2, 3, 4, 5]) = 6312.0
; run: @f([1.0], []) = -3.0
func @f loop fast (%0: array<f64, 1> in m0, %1: array<i64, 1> in m1) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: i64 = const -3
  %8: f64, %9: i64 = for %5, %3, %6, %4, %7 !r m0|m1 {
  (%10: i64, %11: f64, %12: i64):
    %13: i64 = load_raw %1, %10 !r m1
    %14: u64 = cast %13
    %15: u64 = cast %2
    %16: bool = lt %14, %15
    check[IndexError, "index {0} is out of bounds"] %16, %13
    %17: f64 = load_raw %0, %13 !r m0
    %18: f64 = add %11, %17
    %19: i64 = add %12, %13
    continue[0] %18, %19
  }
  %20: f64 = const 100.0
  %21: f64 = mul %8, %20
  %22: f64 = cast %9
  %23: f64 = add %21, %22
  return %23
}
