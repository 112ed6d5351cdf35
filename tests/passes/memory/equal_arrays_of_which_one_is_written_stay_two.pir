;     def f(n):
;         x = zeros(n)
;         y = zeros(n)
;         x[0] = 1.0
;         return x[0], y[0]
; pass: licm, cse, fuse, dce
; count: zeros = 2
; run: @f(1) = 1.0, 0.0
func @f array (%0: i64) -> (f64, f64) {
  %1: f64 = const 1.0
  %2: i64 = const 0
  %3: array<f64, 1> in m0 = zeros %0
  %4: array<f64, 1> in m1 = zeros %0
  store %3, %1, %2 !w m0
  %5: f64 = load %3, %2 !r m0
  %6: f64 = load %4, %2 !r m1
  return %5, %6
}
; ---- after
func @f array (%0: i64) -> (f64, f64) {
  %1: f64 = const 1.0
  %2: i64 = const 0
  %3: array<f64, 1> in m0 = zeros %0
  %4: array<f64, 1> in m1 = zeros %0
  store %3, %1, %2 !w m0
  %5: f64 = load %3, %2 !r m0
  %6: f64 = load %4, %2 !r m1
  return %5, %6
}
