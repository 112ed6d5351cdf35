; Before the second loop the greatest index is a product of four numbers, which the test keeps from overflowing.
; pass: version-loops
; count: for = 7
; count: check in loops = 1
; run: @f([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0], 2, 2, 1, 2) = 255.0
; run: @f([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0], 1, 1, 2, 3) = 63.0
; run: @f([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0], 2, 2, 3, 1) raises IndexError
; run: @f([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0], -1, 2, 3, 4) = 0.0
; run: @f([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0], 4611686018427387904, 1, 1, 4) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: i64, %2: i64, %3: i64, %4: i64) -> (f64) {
  %5: i64 = dim[0] %0
  %6: f64 = const 0.0
  %7: i64 = const 0
  %8: i64 = const 1
  %9: f64 = for %7, %1, %8, %6 !r m0 {
  (%10: i64, %11: f64):
    %12: i64 = mul %10, %2
    %13: f64 = for %7, %2, %8, %11 !r m0 {
    (%14: i64, %15: f64):
      %16: i64 = add %12, %14
      %17: i64 = mul %16, %3
      %18: f64 = for %7, %3, %8, %15 !r m0 {
      (%19: i64, %20: f64):
        %21: i64 = add %17, %19
        %22: i64 = mul %21, %4
        %23: f64 = for %7, %4, %8, %20 !r m0 {
        (%24: i64, %25: f64):
          %26: i64 = add %22, %24
          %27: u64 = cast %26
          %28: u64 = cast %5
          %29: bool = lt %27, %28
          check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %29, %26, %5
          %30: f64 = load_raw %0, %26 !r m0
          %31: f64 = add %25, %30
          continue[0] %31
        }
        continue[0] %23
      }
      continue[0] %18
    }
    continue[0] %13
  }
  return %9
}
