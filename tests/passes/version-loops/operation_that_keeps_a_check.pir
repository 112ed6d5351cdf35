; A library operation's loop that asks about its data anyhow is not copied for a check beside it.
; pass: version-loops
; count: for = 1
; count: check = 2
; run: @f([1.0, 2.0, 4.0], [0, 2], 2) = 5.0
; run: @f([1.0, 2.0], [0, 1], 3) raises IndexError
; run: @f([1.0, 2.0], [0, 2], 2) raises IndexError
func @f loop operation "f" (%0: array<f64, 1> in m0, %1: array<i64, 1> in m0, %2: i64) -> (f64) {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: f64 = const 0.0
  %6: i64 = const 0
  %7: i64 = const 1
  %8: f64 = for %6, %2, %7, %5 !r m0 {
  (%9: i64, %10: f64):
    %11: bool = lt %9, %4
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %11, %9, %4
    %12: i64 = load_raw %1, %9 !r m0
    %13: u64 = cast %12
    %14: u64 = cast %3
    %15: bool = lt %13, %14
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %15, %12, %3
    %16: f64 = load_raw %0, %12 !r m0
    %17: f64 = add %10, %16
    continue[0] %17
  }
  return %8
}
