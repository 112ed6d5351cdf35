; pass: cse
; count: const = 2
; run: @f() = 0.0, -0.0
func @f array () -> (f64, f64) {
  %0: f64 = const 0.0
  %1: f64 = const -0.0
  return %0, %1
}
; ---- after
func @f array () -> (f64, f64) {
  %0: f64 = const 0.0
  %1: f64 = const -0.0
  return %0, %1
}
