;     def f(a):
;         v = np.broadcast_to(a[:1], (3,))
;         s = np.sum(v)
;         a[0] = 5.0
;         t = np.sum(v)
;         return s, t
; pass: licm, cse, fuse, dce
; count: reduce = 2
; run: @f([1.0, 2.0]) = 3.0, 15.0
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 1
  %2: i64 = const 3
  %3: f64 = const 5.0
  %4: i64 = const 0
  %5: array<f64, 1> in m0 = view[:stop] %0, %1
  %6: array<f64, 1> in m0 = broadcast_to %5, %2
  %7: f64 = reduce[sum] %6 !r m0
  store %0, %3, %4 !w m0
  %8: f64 = reduce[sum] %6 !r m0
  return %7, %8
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 1
  %2: i64 = const 3
  %3: f64 = const 5.0
  %4: i64 = const 0
  %5: array<f64, 1> in m0 = view[:stop] %0, %1
  %6: array<f64, 1> in m0 = broadcast_to %5, %2
  %7: f64 = reduce[sum] %6 !r m0
  store %0, %3, %4 !w m0
  %8: f64 = reduce[sum] %6 !r m0
  return %7, %8
}
