; The difference of the new and the old sum is what was added but for the rounding, which is wanted: both sums stay as they were written.
; pass: unroll-scans
; count: for = 1
func @f loop fast (%0: array<f64, 1>) -> (f64, f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const 0.0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64, %6: f64 = for %3, %1, %4, %2, %2 {
  (%7: i64, %8: f64, %9: f64):
    %10: f64 = load_raw %0, %7
    %11: f64 = add %8, %10
    %12: f64 = sub %11, %8
    %13: f64 = sub %10, %12
    %14: f64 = add %9, %13
    continue[0] %11, %14
  }
  return %5, %6
}
