; The four indices are asked about at once; where one of them is wrong, each is asked in its turn, so that the first wrong one is named.
; pass: split-sums
; count: for = 2
; count: if = 6
; count: check = 5
; count: and = 3
; run: @f([1.0, 2.0, 4.0, 8.0], []) = 0.0
; run: @f([1.0, 2.0, 4.0, 8.0], [0, 1, 2, 3]) = 15.0
; run: @f([1.0, 2.0, 4.0, 8.0], [0, -3, 2, -1]) = 15.0
; run: @f([1.0, 2.0, 4.0, 8.0], [0, 1, 2, 3, -4, -3, 1, 0, 3]) = 29.0
; run: @f([1.0, 2.0], [0, -5, 7, 0]) raises IndexError
; run: @f([1.0, 2.0], [0, 1, 0, 1, 1, 7]) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: array<i64, 1> in m1) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: f64 = for %5, %3, %6, %4 !r m0|m1 {
  (%8: i64, %9: f64):
    %10: i64 = load_raw %1, %8 !r m1
    %11: u64 = cast %10
    %12: u64 = cast %2
    %13: bool = lt %11, %12
    %14: i64 = if %13 {
      yield %10
    } else {
      %15: i64 = add %10, %2
      %16: u64 = cast %15
      %17: u64 = cast %2
      %18: bool = lt %16, %17
      check[IndexError, "index {0} is out of bounds"] %18, %10
      yield %15
    }
    %19: f64 = load_raw %0, %14 !r m0
    %20: f64 = add %9, %19
    continue[0] %20
  }
  return %7
}
