; Sixteen rows are one, if there are few columns and many rows.
; pass: short-rows
; count: for = 7
; run: @f([[1.0, 2.0], [3.0, 4.0], [0.5, 0.0]]) = [10.25, 20.0]
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
      %9: f64 = mul %8, %8
      %10: f64 = load_raw %3, %7
      %11: f64 = add %10, %9
      store_raw %3, %11, %7
      continue[0]
    }
    continue[0]
  }
  return %3
}
