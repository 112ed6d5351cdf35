; A number for each row is not repeated along it.
; pass: short-rows
; count: for = 2
func @f loop fast (%0: array<f64, 2>, %1: array<f64, 1>) -> (array<f64, 1>) {
  %2: i64 = dim[0] %1
  %3: i64 = dim[1] %0
  %4: array<f64, 1> = zeros %3
  %5: i64 = const 0
  %6: i64 = const 1
  for %5, %2, %6 {
  (%7: i64):
    for %5, %3, %6 {
    (%8: i64):
      %9: f64 = load_raw %0, %7, %8
      %10: f64 = load_raw %1, %7
      %11: f64 = mul %9, %10
      %12: f64 = load_raw %4, %8
      %13: f64 = add %12, %11
      store_raw %4, %13, %8
      continue[0]
    }
    continue[0]
  }
  return %4
}
