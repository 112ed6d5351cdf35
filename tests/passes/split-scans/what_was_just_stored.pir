; Two running values, one of which is of what the iteration has just stored, in place, from another index than 0 on.
; pass: split-scans
; count: device_wanted = 1
; count: pfor = 4
; run: @f([1.0, 2.0, 3.0, 1.0]) = [1.0, 4.0, 10.0, 12.0]
func @f loop fast device (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = const 1
  %3: f64 = const 2.0
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: f64, %7: i64 = for %2, %1, %2, %4, %5 !r m0 !w m0 {
  (%8: i64, %9: f64, %10: i64):
    %11: f64 = load_raw %0, %8 !r m0
    %12: f64 = mul %11, %3
    store_raw %0, %12, %8 !w m0
    %13: f64 = load_raw %0, %8 !r m0
    %14: f64 = add %13, %9
    %15: i64 = add %10, %2
    store_raw %0, %14, %8 !w m0
    continue[0] %14, %15
  }
  return %0
}
