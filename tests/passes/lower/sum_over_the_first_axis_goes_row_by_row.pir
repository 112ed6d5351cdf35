; pass: lower
; count: load_raw in loops = 2
; count: store_raw in loops = 2
; run: @f([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]) = [9.0, 12.0]
; run: @f([[], []]) = []
func @f array fast (%0: array<f64, 2>) -> (array<f64, 1>) {
  %1: array<f64, 1> = reduce[sum axes 0] %0
  return %1
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 1
  %4: array<f64, 1> in m1 = empty %2
  %5: f64 = const 0.0
  %6: i64 = const 0
  for %6, %2, %3 !w m1 {
  (%7: i64):
    store_raw %4, %5, %7 !w m1
    continue[0]
  }
  for %6, %1, %3 !r m0|m1 !w m1 {
  (%8: i64):
    for %6, %2, %3 !r m0|m1 !w m1 {
    (%9: i64):
      %10: f64 = load_raw %0, %8, %9 !r m0
      %11: f64 = load_raw %4, %9 !r m1
      %12: f64 = add %11, %10
      store_raw %4, %12, %9 !w m1
      continue[0]
    }
    continue[0]
  }
  return %4
}
