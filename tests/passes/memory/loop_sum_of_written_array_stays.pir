;     def f(a, n):
;         for i in range(n):
;             a[i] = np.sum(a)
;         return a
; pass: licm, cse, fuse, dce
; count: reduce in loops = 1
; run: @f([1.0, 2.0], 2) = [3.0, 5.0]
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  for %2, %1, %3 !r m0 !w m0 {
  (%4: i64):
    %5: f64 = reduce[sum] %0 !r m0
    store %0, %5, %4 !w m0
    continue[0]
  }
  return %0
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  for %2, %1, %3 !r m0 !w m0 {
  (%4: i64):
    %5: f64 = reduce[sum] %0 !r m0
    store %0, %5, %4 !w m0
    continue[0]
  }
  return %0
}
