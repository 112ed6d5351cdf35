; The greatest index is a product; factors too great for it run the loop that checks.
; pass: version-loops
; count: for = 4
; count: check in loops = 1
; run: @f([1.0, 2.0, 4.0, 8.0], 2, 2) = 15.0
; run: @f([1.0, 2.0, 4.0, 8.0], 2, 3) raises IndexError
; run: @f([1.0, 2.0, 4.0, 8.0], -1, 4) = 0.0
; run: @f([1.0, 2.0, 4.0, 8.0], 4611686018427387904, 4) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> (f64) {
  %3: i64 = dim[0] %0
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: f64 = for %5, %1, %6, %4 !r m0 {
  (%8: i64, %9: f64):
    %10: i64 = mul %8, %2
    %11: f64 = for %5, %2, %6, %9 !r m0 {
    (%12: i64, %13: f64):
      %14: i64 = add %10, %12
      %15: i64 = add %14, %3
      %16: bool = lt %14, %5
      %17: i64 = select %16, %15, %14
      %18: u64 = cast %17
      %19: u64 = cast %3
      %20: bool = lt %18, %19
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %20, %14, %3
      %21: f64 = load_raw %0, %17 !r m0
      %22: f64 = add %13, %21
      continue[0] %22
    }
    continue[0] %11
  }
  return %7
}
