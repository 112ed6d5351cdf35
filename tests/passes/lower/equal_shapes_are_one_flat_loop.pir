; pass: lower
; count: for = 1
; count: if = 0
; count: check = 0
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = [[1.0, 4.0], [9.0, 16.0]]
func @f array fast (%0: array<f64, 2>) -> (array<f64, 2>) {
  %1: array<f64, 2> = mul %0, %0
  return %1
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: array<f64, 2> in m1 = empty %1, %2
  %4: i64 = const 1
  %5: i64 = mul %1, %2
  %6: i64 = const 0
  %7: i64 = const 8
  %8: array<f64, 1> in m1 = raw_view %3, %6, %5, %7
  %9: array<f64, 1> in m0 = raw_view %0, %6, %5, %7
  for %6, %5, %4 !r m0 !w m1 {
  (%10: i64):
    %11: f64 = load_raw %9, %10 !r m0
    %12: f64 = mul %11, %11
    store_raw %8, %12, %10 !w m1
    continue[0]
  }
  return %3
}
