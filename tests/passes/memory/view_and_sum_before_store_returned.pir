; The view sees the store, the sum does not.
;     def f(a):
;         b = a[1:]
;         c = a + 1.0
;         a[0] = 5.0
;         return b, c
; pass: licm, cse, fuse, dce
; count: store = 1
; count: map = 0
; run: @f([1.0, 2.0, 3.0]) = [2.0, 3.0], [2.0, 3.0, 4.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>, array<f64, 1>) {
  %1: i64 = const 1
  %2: f64 = const 1.0
  %3: f64 = const 5.0
  %4: i64 = const 0
  %5: array<f64, 1> in m0 = view[start:] %0, %1
  %6: array<f64, 1> in m1 = add %0, %2 !r m0
  store %0, %3, %4 !w m0
  return %5, %6
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>, array<f64, 1>) {
  %1: i64 = const 1
  %2: f64 = const 1.0
  %3: f64 = const 5.0
  %4: i64 = const 0
  %5: array<f64, 1> in m0 = view[start:] %0, %1
  %6: array<f64, 1> in m1 = add %0, %2 !r m0
  store %0, %3, %4 !w m0
  return %5, %6
}
