; pass: dce
; count: floordiv = 1
; count: load = 1
; run: @f(1, [1.0]) = 1
; run: @f(0, [1.0]) raises ZeroDivisionError
; run: @f(1, []) raises IndexError
func @f array (%0: i64, %1: array<f64, 1> in m0) -> (i64) {
  %2: i64 = const 7
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = floordiv %2, %0
  %6: f64 = load %1, %3 !r m0
  return %4
}
; ---- after
func @f array (%0: i64, %1: array<f64, 1> in m0) -> (i64) {
  %2: i64 = const 7
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = floordiv %2, %0
  %6: f64 = load %1, %3 !r m0
  return %4
}
