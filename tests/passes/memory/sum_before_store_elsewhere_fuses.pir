; The store writes a class of its own, so the sum moves to its only use.
;     def f(a, n):
;         x = zeros(n)
;         c = a + 1.0
;         x[0] = 5.0
;         d = c * 2.0
;         return d, x
; pass: licm, cse, fuse, dce
; count: map = 1
; count: add in maps = 1
; run: @f([1.0, 2.0], 1) = [4.0, 6.0], [5.0]
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>, array<f64, 1>) {
  %2: f64 = const 1.0
  %3: f64 = const 5.0
  %4: i64 = const 0
  %5: f64 = const 2.0
  %6: array<f64, 1> in m1 = zeros %1
  %7: array<f64, 1> in m2 = add %0, %2 !r m0
  store %6, %3, %4 !w m1
  %8: array<f64, 1> in m3 = mul %7, %5 !r m2
  return %8, %6
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>, array<f64, 1>) {
  %2: f64 = const 1.0
  %3: f64 = const 5.0
  %4: i64 = const 0
  %5: f64 = const 2.0
  %6: array<f64, 1> in m1 = zeros %1
  store %6, %3, %4 !w m1
  %7: array<f64, 1> in m2 = map %0 !r m0 {
  (%8: f64):
    %9: f64 = add %8, %2
    %10: f64 = mul %9, %5
    yield %10
  }
  return %7, %6
}
