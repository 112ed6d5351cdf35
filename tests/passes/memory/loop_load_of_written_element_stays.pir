;     def f(a, n):
;         for i in range(n):
;             a[0] = a[0] + 1.0
;         return a[0]
; pass: licm, cse, fuse, dce
; count: load in loops = 1
; run: @f([1.0], 3) = 4.0
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  for %2, %1, %3 !r m0 !w m0 {
  (%5: i64):
    %6: f64 = load %0, %2 !r m0
    %7: f64 = add %6, %4
    store %0, %7, %2 !w m0
    continue[0]
  }
  %8: f64 = load %0, %2 !r m0
  return %8
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  for %2, %1, %3 !r m0 !w m0 {
  (%5: i64):
    %6: f64 = load %0, %2 !r m0
    %7: f64 = add %6, %4
    store %0, %7, %2 !w m0
    continue[0]
  }
  %8: f64 = load %0, %2 !r m0
  return %8
}
