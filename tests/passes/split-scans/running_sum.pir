; pass: split-scans
; count: device_wanted = 1
; count: pfor = 4
; run: @f([1.0, 2.0, 3.0]) = [1.0, 3.0, 6.0]
; run: @f([]) = []
func @f loop fast device (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: array<f64, 1> in m1 = empty %1
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: f64 = for %3, %1, %4, %5 !r m0 !w m1 {
  (%7: i64, %8: f64):
    %9: f64 = load_raw %0, %7 !r m0
    %10: f64 = add %8, %9
    store_raw %2, %10, %7 !w m1
    continue[0] %10
  }
  return %2
}
