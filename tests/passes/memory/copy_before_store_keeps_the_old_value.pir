;     def f(a):
;         c = np.copy(a)
;         a[0] = 1.0
;         return c[0], a[0]
; pass: licm, cse, fuse, dce
; count: copy = 1
; count: load = 2
; run: @f([4.0]) = 4.0, 1.0
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: f64 = const 1.0
  %2: i64 = const 0
  %3: array<f64, 1> in m1 = copy %0 !r m0
  store %0, %1, %2 !w m0
  %4: f64 = load %3, %2 !r m1
  %5: f64 = load %0, %2 !r m0
  return %4, %5
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: f64 = const 1.0
  %2: i64 = const 0
  %3: array<f64, 1> in m1 = copy %0 !r m0
  store %0, %1, %2 !w m0
  %4: f64 = load %3, %2 !r m1
  %5: f64 = load %0, %2 !r m0
  return %4, %5
}
