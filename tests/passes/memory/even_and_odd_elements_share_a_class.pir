; The views do not meet, but classes know nothing of indices.
;     def f(a):
;         e = a[::2]
;         o = a[1::2]
;         x = e[0]
;         o[0] = 5.0
;         y = e[0]
;         return x, y
; pass: licm, cse, fuse, dce
; count: load = 2
; run: @f([1.0, 2.0]) = 1.0, 1.0
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 2
  %2: i64 = const 1
  %3: i64 = const 0
  %4: f64 = const 5.0
  %5: array<f64, 1> in m0 = view[::step] %0, %1
  %6: array<f64, 1> in m0 = view[start::step] %0, %2, %1
  %7: f64 = load %5, %3 !r m0
  store %6, %4, %3 !w m0
  %8: f64 = load %5, %3 !r m0
  return %7, %8
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 2
  %2: i64 = const 1
  %3: i64 = const 0
  %4: f64 = const 5.0
  %5: array<f64, 1> in m0 = view[::step] %0, %1
  %6: array<f64, 1> in m0 = view[start::step] %0, %2, %1
  %7: f64 = load %5, %3 !r m0
  store %6, %4, %3 !w m0
  %8: f64 = load %5, %3 !r m0
  return %7, %8
}
