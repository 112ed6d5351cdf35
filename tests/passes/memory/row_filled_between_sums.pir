; The row is a view of the matrix.
;     def f(m):
;         r = m[0]
;         s = np.sum(m)
;         r[:] = 0.0
;         t = np.sum(m)
;         return s, t
; pass: licm, cse, fuse, dce
; count: reduce = 2
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = 10.0, 7.0
func @f array (%0: array<f64, 2> in m0) -> (f64, f64) {
  %1: i64 = const 0
  %2: f64 = const 0.0
  %3: array<f64, 1> in m0 = view[at] %0, %1
  %4: f64 = reduce[sum] %0 !r m0
  assign %3, %2 !w m0
  %5: f64 = reduce[sum] %0 !r m0
  return %4, %5
}
; ---- after
func @f array (%0: array<f64, 2> in m0) -> (f64, f64) {
  %1: i64 = const 0
  %2: f64 = const 0.0
  %3: array<f64, 1> in m0 = view[at] %0, %1
  %4: f64 = reduce[sum] %0 !r m0
  assign %3, %2 !w m0
  %5: f64 = reduce[sum] %0 !r m0
  return %4, %5
}
