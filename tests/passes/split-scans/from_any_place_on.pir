; The place that the loop begins with may be anything: nothing is stored before the array, nor where the sum wraps.
; pass: split-scans
; count: device_wanted = 1
; count: check = 2
; run: @f([1.0, -2.0, 3.0], [9.0, 9.0, 9.0], 1) = 3
; run: @f([1.0, -2.0, 3.0], [9.0, 9.0, 9.0], 2) raises IndexError
; run: @f([1.0, -2.0, 3.0], [9.0, 9.0, 9.0], -1) raises IndexError
; run: @f([-1.0], [9.0], -1) = -1
; run: @f([1.0, 1.0], [9.0], 9223372036854775806) raises IndexError
func @f loop fast device (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %17: i64) -> (i64) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 0.0
  %7: i64 = for %4, %2, %5, %17 !r m0 !w m1 {
  (%8: i64, %9: i64):
    %10: f64 = load_raw %0, %8 !r m0
    %11: bool = gt %10, %6
    %12: i64 = if %11 !w m1 {
      %13: u64 = cast %9
      %14: u64 = cast %3
      %15: bool = lt %13, %14
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %15, %9, %3
      store_raw %1, %10, %9 !w m1
      %16: i64 = add %9, %5
      yield %16
    } else {
      yield %9
    }
    continue[0] %12
  }
  return %7
}
