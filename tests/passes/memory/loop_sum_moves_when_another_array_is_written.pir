;     def f(a, n):
;         b = zeros(n)
;         for i in range(n):
;             b[i] = np.sum(a)
;         return b
; pass: licm, cse, fuse, dce
; count: reduce in loops = 0
; run: @f([1.0, 2.0], 2) = [3.0, 3.0]
; run: @f([1.0, 2.0], 0) = []
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 1> in m1 = zeros %1
  for %2, %1, %3 !r m0 !w m1 {
  (%5: i64):
    %6: f64 = reduce[sum] %0 !r m0
    store %4, %6, %5 !w m1
    continue[0]
  }
  return %4
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 1> in m1 = zeros %1
  %5: f64 = reduce[sum] %0 !r m0
  for %2, %1, %3 !w m1 {
  (%6: i64):
    store %4, %5, %6 !w m1
    continue[0]
  }
  return %4
}
