;     def f(n):
;         x = zeros(n)
;         y = zeros(n)
;         return x[0], y[0]
; pass: licm, cse, fuse, dce
; count: zeros = 1
; run: @f(1) = 0.0, 0.0
; run: @f(0) raises IndexError
func @f array (%0: i64) -> (f64, f64) {
  %1: i64 = const 0
  %2: array<f64, 1> in m0 = zeros %0
  %3: array<f64, 1> in m1 = zeros %0
  %4: f64 = load %2, %1 !r m0
  %5: f64 = load %3, %1 !r m1
  return %4, %5
}
; ---- after
func @f array (%0: i64) -> (f64, f64) {
  %1: i64 = const 0
  %2: array<f64, 1> in m0 = zeros %0
  %3: f64 = load %2, %1 !r m0
  return %3, %3
}
