; A row of the table serves all: the one below may not overwrite what the one above still loads.
; pass: wavefront
; count: for = 11
func @f loop fast (%0: array<f64, 1>, %1: i64) -> () {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = sub %2, %4
  %6: f64 = const 0.25
  for %3, %1, %4 {
  (%7: i64):
    for %4, %5, %4 {
    (%8: i64):
      %9: i64 = sub %8, %4
      %10: f64 = load_raw %0, %9
      %11: i64 = add %8, %4
      %12: f64 = load_raw %0, %11
      %13: f64 = add %10, %12
      %14: f64 = mul %6, %13
      store_raw %0, %14, %8
      continue[0]
    }
    continue[0]
  }
  return
}
