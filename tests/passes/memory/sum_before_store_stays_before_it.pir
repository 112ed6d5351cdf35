; `c` reads what the store writes, so it is computed before, not where `d` is.
;     def f(a):
;         c = a + 1.0
;         a[0] = 5.0
;         d = c * 2.0
;         return d
; pass: licm, cse, fuse, dce
; count: map = 0
; run: @f([1.0, 2.0]) = [4.0, 6.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: f64 = const 1.0
  %2: f64 = const 5.0
  %3: i64 = const 0
  %4: f64 = const 2.0
  %5: array<f64, 1> in m1 = add %0, %1 !r m0
  store %0, %2, %3 !w m0
  %6: array<f64, 1> in m2 = mul %5, %4 !r m1
  return %6
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: f64 = const 1.0
  %2: f64 = const 5.0
  %3: i64 = const 0
  %4: f64 = const 2.0
  %5: array<f64, 1> in m1 = add %0, %1 !r m0
  store %0, %2, %3 !w m0
  %6: array<f64, 1> in m2 = mul %5, %4 !r m1
  return %6
}
