; The first neighbour is the last element, so the choice stays; the check goes.
; pass: prove-bounds
; count: check = 0
; count: select = 1
; run: @f([1.0, 2.0, 4.0]) = 7.0
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const 0.0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = for %3, %1, %4, %2 !r m0 {
  (%6: i64, %7: f64):
    %8: i64 = sub %6, %4
    %9: i64 = add %8, %1
    %10: bool = lt %8, %3
    %11: i64 = select %10, %9, %8
    %12: u64 = cast %11
    %13: u64 = cast %1
    %14: bool = lt %12, %13
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %14, %8, %1
    %15: f64 = load_raw %0, %11 !r m0
    %16: f64 = add %7, %15
    continue[0] %16
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
    %8: i64 = sub %6, %4
    %9: i64 = add %8, %1
    %10: bool = lt %8, %3
    %11: i64 = select %10, %9, %8
    %12: u64 = cast %11
    %13: u64 = cast %1
    %14: bool = lt %12, %13
    %15: f64 = load_raw %0, %11 !r m0
    %16: f64 = add %7, %15
    continue[0] %16
  }
  return %5
}
