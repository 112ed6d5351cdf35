; Loops over blocks of rows and of columns: the array is made for each element of a row, and of its rows one is used.
; pass: contract
; count: empty = 1
; run: @f([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]]) = 63.0
; result:
func @f loop fast (%0: array<f64, 2>) -> (f64) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: array<f64, 2> = empty %1, %2
  %4: i64 = const 0
  %5: i64 = const 1
  %6: i64 = const 2
  %7: f64 = const 0.0
  %8: f64 = for %4, %1, %6, %7 {
  (%9: i64, %10: f64):
    %11: i64 = add %9, %6
    %12: i64 = min %11, %1
    %13: f64 = for %9, %12, %5, %10 {
    (%14: i64, %15: f64):
      %16: f64 = for %4, %2, %5, %15 {
      (%17: i64, %18: f64):
        %19: f64 = load_raw %0, %14, %17
        store_raw %3, %19, %14, %17
        %20: f64 = load_raw %3, %14, %17
        %21: f64 = add %18, %20
        continue[0] %21
      }
      continue[0] %16
    }
    continue[0] %13
  }
  return %8
}
