; pass: lower
; count: load_raw in loops = 1
; count: store_raw in loops = 1
; run: @f([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]) = [3.0, 7.0, 11.0]
; run: @f([[], []]) = [0.0, 0.0]
func @f array fast (%0: array<f64, 2>) -> (array<f64, 1>) {
  %1: array<f64, 1> = reduce[sum axes 1] %0
  return %1
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 1
  %4: array<f64, 1> in m1 = empty %1
  %5: i64 = const 0
  for %5, %1, %3 !r m0 !w m1 {
  (%6: i64):
    %7: f64 = const 0.0
    %8: i64 = const 4096
    %9: f64 = for %5, %2, %8, %7 !r m0 {
    (%10: i64, %11: f64):
      %12: i64 = sub %2, %10
      %13: i64 = min %12, %8
      %14: i64 = add %10, %13
      %15: f64 = for %10, %14, %3, %7 !r m0 {
      (%16: i64, %17: f64):
        %18: f64 = load_raw %0, %6, %16 !r m0
        %19: f64 = add %17, %18
        continue[0] %19
      }
      %20: f64 = add %11, %15
      continue[0] %20
    }
    store_raw %4, %9, %6 !w m1
    continue[0]
  }
  return %4
}
