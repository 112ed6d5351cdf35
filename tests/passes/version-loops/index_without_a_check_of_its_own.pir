; The first array's check covers the second's, which is no shorter; the choice between index and index from the end is
; still there for both, and the test before the loop answers it for both (of the first, a choice nobody uses stays).
; pass: version-loops
; count: for = 2
; count: select = 3
; count: check = 1
; run: @f([1.0, 2.0], [3.0, 4.0, 5.0], 0, 2) = 11.0
; run: @f([1.0, 2.0], [3.0, 4.0, 5.0], -1, 2) = 21.0
; run: @f([1.0, 2.0], [3.0, 4.0], 0, 3) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64, %3: i64) -> (f64) {
  %4: i64 = dim[0] %0
  %5: i64 = dim[0] %1
  %6: f64 = const 0.0
  %7: i64 = const 0
  %8: i64 = const 1
  %9: f64 = for %2, %3, %8, %6 !r m0|m1 {
  (%10: i64, %11: f64):
    %12: i64 = add %10, %4
    %13: bool = lt %10, %7
    %14: i64 = select %13, %12, %10
    %15: u64 = cast %14
    %16: u64 = cast %4
    %17: bool = lt %15, %16
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %17, %10, %4
    %18: f64 = load_raw %0, %14 !r m0
    %19: i64 = add %10, %5
    %20: i64 = select %13, %19, %10
    %21: f64 = load_raw %1, %20 !r m1
    %22: f64 = mul %18, %21
    %23: f64 = add %11, %22
    continue[0] %23
  }
  return %9
}
