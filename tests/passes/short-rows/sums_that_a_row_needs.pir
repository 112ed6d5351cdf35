; Each row is compared with what the sums are so far.
; pass: short-rows
; count: for = 2
func @f loop fast (%0: array<f64, 2>) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: array<f64, 1> = zeros %2
  %4: i64 = const 0
  %5: i64 = const 1
  for %4, %1, %5 {
  (%6: i64):
    for %4, %2, %5 {
    (%7: i64):
      %8: f64 = load_raw %0, %6, %7
      %9: f64 = load_raw %3, %7
      %10: f64 = mul %8, %9
      %11: f64 = add %9, %10
      store_raw %3, %11, %7
      continue[0]
    }
    continue[0]
  }
  return %3
}
