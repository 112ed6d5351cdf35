;     def f(n):
;         x = zeros(n)
;         y = zeros(n)
;         return x, y
; pass: licm, cse, fuse, dce
; count: zeros = 2
; run: @f(2) = [0.0, 0.0], [0.0, 0.0]
func @f array (%0: i64) -> (array<f64, 1>, array<f64, 1>) {
  %1: array<f64, 1> in m0 = zeros %0
  %2: array<f64, 1> in m1 = zeros %0
  return %1, %2
}
; ---- after
func @f array (%0: i64) -> (array<f64, 1>, array<f64, 1>) {
  %1: array<f64, 1> in m0 = zeros %0
  %2: array<f64, 1> in m1 = zeros %0
  return %1, %2
}
