;     def f(a, b, n):
;         for i in range(n):
;             c = a @ b
;             a[0, 0] = c[0, 0]
;         return a
; pass: licm, cse, fuse, dce
; count: matmul in loops = 1
; run: @f([[2.0]], [[3.0]], 3) = [[54.0]]
func @f array fast (%0: array<f64, 2> in m0, %1: array<f64, 2> in m1, %2: i64) -> (array<f64, 2>) {
  %3: i64 = const 0
  %4: i64 = const 1
  for %3, %2, %4 !r m0|m1|m2 !w m0 {
  (%5: i64):
    %6: array<f64, 2> in m2 = matmul %0, %1 !r m0|m1
    %7: f64 = load %6, %3, %3 !r m2
    store %0, %7, %3, %3 !w m0
    continue[0]
  }
  return %0
}
; ---- after
func @f array fast (%0: array<f64, 2> in m0, %1: array<f64, 2> in m1, %2: i64) -> (array<f64, 2>) {
  %3: i64 = const 0
  %4: i64 = const 1
  for %3, %2, %4 !r m0|m1|m2 !w m0 {
  (%5: i64):
    %6: array<f64, 2> in m2 = matmul %0, %1 !r m0|m1
    %7: f64 = load %6, %3, %3 !r m2
    store %0, %7, %3, %3 !w m0
    continue[0]
  }
  return %0
}
