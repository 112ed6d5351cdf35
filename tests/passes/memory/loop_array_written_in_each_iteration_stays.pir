; One array for all iterations would keep what an earlier one wrote.
;     def f(n):
;         s = 0.0
;         for i in range(n):
;             t = zeros(2)
;             t[0] = t[0] + 1.0
;             s = s + t[0]
;         return s
; pass: licm, cse, fuse, dce
; count: zeros in loops = 1
; run: @f(3) = 3.0
func @f array (%0: i64) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = const 2
  %5: f64 = const 1.0
  %6: f64 = for %1, %0, %2, %3 !r m0 !w m0 {
  (%7: i64, %8: f64):
    %9: array<f64, 1> in m0 = zeros %4
    %10: f64 = load %9, %1 !r m0
    %11: f64 = add %10, %5
    store %9, %11, %1 !w m0
    %12: f64 = load %9, %1 !r m0
    %13: f64 = add %8, %12
    continue[0] %13
  }
  return %6
}
; ---- after
func @f array (%0: i64) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = const 2
  %5: f64 = const 1.0
  %6: f64 = for %1, %0, %2, %3 !r m0 !w m0 {
  (%7: i64, %8: f64):
    %9: array<f64, 1> in m0 = zeros %4
    %10: f64 = load %9, %1 !r m0
    %11: f64 = add %10, %5
    store %9, %11, %1 !w m0
    %12: f64 = load %9, %1 !r m0
    %13: f64 = add %8, %12
    continue[0] %13
  }
  return %6
}
