; pass: dce
; count: draw_normal = 2
; count: add = 0
func @f array () -> (f64) {
  %0: i64 = const 6
  %1: array<u64, 1> = zeros %0
  %2: f64 = const 1.0
  %3: f64 = draw_normal %1, %2, %2
  %4: f64 = draw_normal %2, %2
  %5: f64 = add %3, %4
  %6: f64 = draw_double %1
  return %6
}
