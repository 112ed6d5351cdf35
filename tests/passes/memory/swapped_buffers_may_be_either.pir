; After the first iteration each name may stand for each array.
;     def f(a, b, n):
;         for i in range(n):
;             b[0] = a[0] + 1.0
;             a, b = b, a
;         return a[0], b[0]
; pass: licm, cse, fuse, dce
; count: load in loops = 1
; run: @f([1.0], [10.0], 3) = 4.0, 3.0
func @f array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (f64, f64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 1.0
  %6: array<f64, 1> in m0|m1, %7: array<f64, 1> in m0|m1 = for %3, %2, %4, %0, %1 !r m0|m1 !w m0|m1 {
  (%8: i64, %9: array<f64, 1> in m0|m1, %10: array<f64, 1> in m0|m1):
    %11: f64 = load %9, %3 !r m0|m1
    %12: f64 = add %11, %5
    store %10, %12, %3 !w m0|m1
    continue[0] %10, %9
  }
  %13: f64 = load %6, %3 !r m0|m1
  %14: f64 = load %7, %3 !r m0|m1
  return %13, %14
}
; ---- after
func @f array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (f64, f64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 1.0
  %6: array<f64, 1> in m0|m1, %7: array<f64, 1> in m0|m1 = for %3, %2, %4, %0, %1 !r m0|m1 !w m0|m1 {
  (%8: i64, %9: array<f64, 1> in m0|m1, %10: array<f64, 1> in m0|m1):
    %11: f64 = load %9, %3 !r m0|m1
    %12: f64 = add %11, %5
    store %10, %12, %3 !w m0|m1
    continue[0] %10, %9
  }
  %13: f64 = load %6, %3 !r m0|m1
  %14: f64 = load %7, %3 !r m0|m1
  return %13, %14
}
