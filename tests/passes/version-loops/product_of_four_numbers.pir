; The greatest index is a product of four numbers, which the test before the loop keeps from overflowing.
; pass: version-loops
; count: for = 2
; count: check in loops = 1
; run: @f([1.0, 2.0, 4.0, 8.0], [[[1.0, 2.0, 3.0]]], 2) = 9.0
; run: @f([1.0, 2.0, 4.0, 8.0], [[[1.0, 2.0, 3.0]]], 3) raises IndexError
; run: @f([1.0, 2.0, 4.0, 8.0], [[[1.0], [2.0]]], -5) = 0.0
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 3> in m1, %2: i64) -> (f64) {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: i64 = dim[1] %1
  %6: i64 = dim[2] %1
  %7: f64 = const 0.0
  %8: i64 = const 0
  %9: i64 = const 1
  %10: f64 = for %8, %2, %9, %7 !r m0 {
  (%11: i64, %12: f64):
    %13: i64 = mul %11, %4
    %14: i64 = mul %13, %5
    %15: i64 = mul %14, %6
    %16: u64 = cast %15
    %17: u64 = cast %3
    %18: bool = lt %16, %17
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %18, %15, %3
    %19: f64 = load_raw %0, %15 !r m0
    %20: f64 = add %12, %19
    continue[0] %20
  }
  return %10
}
