; An array that is an argument may be another's, too.
; pass: short-rows
; count: for = 2
func @f loop fast (%0: array<f64, 2>, %1: array<f64, 1>) -> () {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: i64 = const 0
  %5: i64 = const 1
  for %4, %2, %5 {
  (%6: i64):
    for %4, %3, %5 {
    (%7: i64):
      %8: f64 = load_raw %0, %6, %7
      %9: f64 = load_raw %1, %7
      %10: f64 = max %9, %8
      store_raw %1, %10, %7
      continue[0]
    }
    continue[0]
  }
  return
}
