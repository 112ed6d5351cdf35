; What was written before the exception stays written: the load that may raise does not pass the store.
;     def f(a, b, n):
;         for i in range(n):
;             a[0] = a[0] + 1.0
;             x = b[5]
;             a[1] = x
;         return a
; pass: licm, cse, fuse, dce
; count: load in loops = 2
; run: @f([1.0, 2.0], [0.0], 3) raises IndexError
; run: @f([1.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0, 4.0], 3) = [4.0, 4.0]
func @f array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (array<f64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 1.0
  %6: i64 = const 5
  for %3, %2, %4 !r m0|m1 !w m0 {
  (%7: i64):
    %8: f64 = load %0, %3 !r m0
    %9: f64 = add %8, %5
    store %0, %9, %3 !w m0
    %10: f64 = load %1, %6 !r m1
    store %0, %10, %4 !w m0
    continue[0]
  }
  return %0
}
; ---- after
func @f array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (array<f64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 1.0
  %6: i64 = const 5
  for %3, %2, %4 !r m0|m1 !w m0 {
  (%7: i64):
    %8: f64 = load %0, %3 !r m0
    %9: f64 = add %8, %5
    store %0, %9, %3 !w m0
    %10: f64 = load %1, %6 !r m1
    store %0, %10, %4 !w m0
    continue[0]
  }
  return %0
}
