; The caller may write to what it gets, so each call of `zeros` gives an array of its own.
;     def f(n):
;         r = zeros(1)
;         q = r
;         for i in range(n):
;             q = r
;             r = zeros(1)
;         return q, r
; pass: licm, cse, fuse, dce
; count: zeros in loops = 1
; run: @f(3) = [0.0], [0.0]
func @f array (%0: i64) -> (array<f64, 1>, array<f64, 1>) {
  %1: i64 = const 1
  %2: i64 = const 0
  %3: array<f64, 1> in m0 = zeros %1
  %4: array<f64, 1> in m0|m1, %5: array<f64, 1> in m0|m1 = for %2, %0, %1, %3, %3 {
  (%6: i64, %7: array<f64, 1> in m0|m1, %8: array<f64, 1> in m0|m1):
    %9: array<f64, 1> in m1 = zeros %1
    continue[0] %8, %9
  }
  return %4, %5
}
; ---- after
func @f array (%0: i64) -> (array<f64, 1>, array<f64, 1>) {
  %1: i64 = const 1
  %2: i64 = const 0
  %3: array<f64, 1> in m0 = zeros %1
  %4: array<f64, 1> in m0|m1, %5: array<f64, 1> in m0|m1 = for %2, %0, %1, %3, %3 {
  (%6: i64, %7: array<f64, 1> in m0|m1, %8: array<f64, 1> in m0|m1):
    %9: array<f64, 1> in m1 = zeros %1
    continue[0] %8, %9
  }
  return %4, %5
}
