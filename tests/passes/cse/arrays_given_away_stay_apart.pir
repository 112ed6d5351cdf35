; The caller gets two arrays and may write to one.
; pass: cse
; count: add = 2
; run: @f([1.0]) = [2.0], [2.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>, array<f64, 1>) {
  %1: f64 = const 1.0
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  %3: array<f64, 1> in m2 = add %0, %1 !r m0
  return %2, %3
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>, array<f64, 1>) {
  %1: f64 = const 1.0
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  %3: array<f64, 1> in m2 = add %0, %1 !r m0
  return %2, %3
}
