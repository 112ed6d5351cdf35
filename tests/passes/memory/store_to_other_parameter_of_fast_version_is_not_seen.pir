; The fast version is called only where what is written overlaps nothing else.
;     def f(a, b):
;         x = a[0]
;         b[0] = 9.0
;         y = a[0]
;         return x, y
; pass: licm, cse, fuse, dce
; count: load = 1
; run: @f([1.0], [2.0]) = 1.0, 1.0
func @f array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (f64, f64) {
  %2: i64 = const 0
  %3: f64 = const 9.0
  %4: f64 = load %0, %2 !r m0
  store %1, %3, %2 !w m1
  %5: f64 = load %0, %2 !r m0
  return %4, %5
}
; ---- after
func @f array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (f64, f64) {
  %2: i64 = const 0
  %3: f64 = const 9.0
  %4: f64 = load %0, %2 !r m0
  store %1, %3, %2 !w m1
  return %4, %4
}
