; pass: lower
; count: for = 2
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
  %4: i64 = const 0
  %5: i64 = const 1
  for %4, %1, %5 !r m0 !w m1 {
  (%6: i64):
    for %4, %2, %5 !r m0 !w m1 {
    (%7: i64):
      %8: f64 = load_raw %0, %6, %7 !r m0
      %9: f64 = mul %8, %8
      store_raw %3, %9, %6, %7 !w m1
      continue[0]
    }
    continue[0]
  }
  return %3
}
