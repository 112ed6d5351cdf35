; pass: lower, ownership
; count: own = 0
; run: @f([1.0, 2.0]) = [2.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 1
  %2: array<f64, 1> in m0 = view[start:] %0, %1
  return %2
}
