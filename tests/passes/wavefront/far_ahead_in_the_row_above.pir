; A row that needs what is far ahead in the row above waits for it.
; pass: wavefront
; count: for = 2
func @f loop fast (%0: array<f64, 2>) -> () {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 1
  %4: i64 = const 8
  %5: i64 = sub %2, %4
  %6: f64 = const 0.5
  %7: i64 = const 7
  for %3, %1, %3 {
  (%8: i64):
    %9: i64 = sub %8, %3
    for %3, %5, %3 {
    (%10: i64):
      %11: i64 = add %10, %7
      %12: f64 = load_raw %0, %9, %11
      %13: i64 = sub %10, %3
      %14: f64 = load_raw %0, %8, %13
      %15: f64 = add %12, %14
      %16: f64 = mul %6, %15
      store_raw %0, %16, %8, %10
      continue[0]
    }
    continue[0]
  }
  return
}
