; Of two checks in a body the second one of an iteration comes before the first one of the next: they are not asked together.
; pass: split-sums
; count: for = 2
; count: check = 10
; count: if = 0
; run: @f([1.0, 2.0, 4.0, 8.0], [0, 1, 2, 3]) = 15.0
; run: @f([1.0, 2.0], [0, 1, 1, 7]) raises IndexError
; run: @f([1.0, -2.0], [0, 1, 1, 7]) raises ValueError
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
    check[IndexError, "index {0} is out of bounds"] %13, %10
    %14: f64 = load_raw %0, %10 !r m0
    %15: bool = lt %4, %14
    check[ValueError, "not positive"] %15
    %16: f64 = add %9, %14
    continue[0] %16
  }
  return %7
}
