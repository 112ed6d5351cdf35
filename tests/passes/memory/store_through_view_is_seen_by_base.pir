; Both loads of `a[1]` stay: the view lies in the same class.
;     def f(a):
;         v = a[1:]
;         x = a[1]
;         v[0] = 7.0
;         y = a[1]
;         return x, y
; pass: licm, cse, fuse, dce
; count: load = 2
; run: @f([1.0, 2.0]) = 2.0, 7.0
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 1
  %2: f64 = const 7.0
  %3: i64 = const 0
  %4: array<f64, 1> in m0 = view[start:] %0, %1
  %5: f64 = load %0, %1 !r m0
  store %4, %2, %3 !w m0
  %6: f64 = load %0, %1 !r m0
  return %5, %6
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 1
  %2: f64 = const 7.0
  %3: i64 = const 0
  %4: array<f64, 1> in m0 = view[start:] %0, %1
  %5: f64 = load %0, %1 !r m0
  store %4, %2, %3 !w m0
  %6: f64 = load %0, %1 !r m0
  return %5, %6
}
