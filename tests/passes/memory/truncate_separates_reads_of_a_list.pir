;     def f(l, k):
;         n = len(l)
;         del l[k:]
;         m = len(l)
;         return n, m
; pass: licm, cse, fuse, dce
; count: list_len = 2
; run: @f([1.0, 2.0], 1) = 2, 1
func @f array (%0: list<f64> in m0, %1: i64) -> (i64, i64) {
  %2: i64 = list_len %0 !r m0
  list_truncate %0, %1 !w m0
  %3: i64 = list_len %0 !r m0
  return %2, %3
}
; ---- after
func @f array (%0: list<f64> in m0, %1: i64) -> (i64, i64) {
  %2: i64 = list_len %0 !r m0
  list_truncate %0, %1 !w m0
  %3: i64 = list_len %0 !r m0
  return %2, %3
}
