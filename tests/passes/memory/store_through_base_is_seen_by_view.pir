;     def f(a):
;         v = a[1:]
;         x = v[0]
;         a[1] = 7.0
;         y = v[0]
;         return x, y
; pass: licm, cse, fuse, dce
; count: load = 2
; run: @f([1.0, 2.0]) = 2.0, 7.0
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 1
  %2: i64 = const 0
  %3: f64 = const 7.0
  %4: array<f64, 1> in m0 = view[start:] %0, %1
  %5: f64 = load %4, %2 !r m0
  store %0, %3, %1 !w m0
  %6: f64 = load %4, %2 !r m0
  return %5, %6
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 1
  %2: i64 = const 0
  %3: f64 = const 7.0
  %4: array<f64, 1> in m0 = view[start:] %0, %1
  %5: f64 = load %4, %2 !r m0
  store %0, %3, %1 !w m0
  %6: f64 = load %4, %2 !r m0
  return %5, %6
}
