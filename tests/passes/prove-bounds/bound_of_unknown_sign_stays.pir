; -1 is below no negative bound, but as an unsigned number it is.
; pass: prove-bounds
; count: if = 1
; run: @f([-3], -2) = 0
; run: @f([1], 2) = 1
func @f loop fast (%0: array<i64, 1> in m0, %1: i64) -> (i64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = for %3, %2, %4, %3 !r m0 {
  (%6: i64, %7: i64):
    %8: i64 = load_raw %0, %6 !r m0
    %9: bool = ge %8, %3
    %10: bool = if %9 {
      %11: bool = lt %8, %1
      yield %11
    } else {
      %12: bool = const false
      yield %12
    }
    %13: i64 = cast %10
    %14: i64 = add %7, %13
    continue[0] %14
  }
  return %5
}
