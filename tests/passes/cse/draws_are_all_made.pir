; pass: cse
; count: draw_double = 4
func @f array () -> (f64, f64) {
  %0: i64 = const 6
  %1: array<u64, 1> = zeros %0
  %2: f64 = draw_double %1
  %3: f64 = draw_double %1
  %4: f64 = sub %2, %3
  %5: f64 = draw_double
  %6: f64 = draw_double
  %7: f64 = sub %5, %6
  return %4, %7
}
