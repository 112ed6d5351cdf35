;     def f(a, n):
;         v = a[:1]
;         for i in range(n):
;             v[0] = a[0] + 1.0
;         return a
; pass: licm, cse, fuse, dce
; count: load in loops = 1
; run: @f([1.0, 5.0], 3) = [4.0, 5.0]
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 1
  %3: i64 = const 0
  %4: f64 = const 1.0
  %5: array<f64, 1> in m0 = view[:stop] %0, %2
  for %3, %1, %2 !r m0 !w m0 {
  (%6: i64):
    %7: f64 = load %0, %3 !r m0
    %8: f64 = add %7, %4
    store %5, %8, %3 !w m0
    continue[0]
  }
  return %0
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 1
  %3: i64 = const 0
  %4: f64 = const 1.0
  %5: array<f64, 1> in m0 = view[:stop] %0, %2
  for %3, %1, %2 !r m0 !w m0 {
  (%6: i64):
    %7: f64 = load %0, %3 !r m0
    %8: f64 = add %7, %4
    store %5, %8, %3 !w m0
    continue[0]
  }
  return %0
}
