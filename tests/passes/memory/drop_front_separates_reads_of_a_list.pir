;     def f(l, k):
;         n = len(l)
;         x = l[0]
;         del l[:k]
;         return n, x, len(l), l[0]
; pass: licm, cse, fuse, dce
; count: list_len = 2
; count: list_get = 2
; run: @f([1.0, 2.0], 1) = 2, 1.0, 1, 2.0
func @f array (%0: list<f64> in m0, %1: i64) -> (i64, f64, i64, f64) {
  %2: i64 = const 0
  %3: i64 = list_len %0 !r m0
  %4: f64 = list_get %0, %2 !r m0
  list_drop_front %0, %1 !w m0
  %5: i64 = list_len %0 !r m0
  %6: f64 = list_get %0, %2 !r m0
  return %3, %4, %5, %6
}
; ---- after
func @f array (%0: list<f64> in m0, %1: i64) -> (i64, f64, i64, f64) {
  %2: i64 = const 0
  %3: i64 = list_len %0 !r m0
  %4: f64 = list_get %0, %2 !r m0
  list_drop_front %0, %1 !w m0
  %5: i64 = list_len %0 !r m0
  %6: f64 = list_get %0, %2 !r m0
  return %3, %4, %5, %6
}
