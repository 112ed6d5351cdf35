; A loop over blocks that stands in no other one is left as it is.
; pass: single-block
; count: for = 2
; count: if = 0
; run: @f([1.0, 2.0]) = 3.0
func @f loop fast (%0: array<f64, 1>) -> (f64) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 4096
  %5: f64 = const 0.0
  %6: f64 = for %2, %1, %4, %5 {
  (%7: i64, %8: f64):
    %9: i64 = sub %1, %7
    %10: i64 = min %9, %4
    %11: i64 = add %7, %10
    %12: f64 = for %7, %11, %3, %5 {
    (%13: i64, %14: f64):
      %15: f64 = load_raw %0, %13
      %16: f64 = add %14, %15
      continue[0] %16
    }
    %17: f64 = add %8, %12
    continue[0] %17
  }
  return %6
}
