;     def f(n):
;         s = 0.0
;         for i in range(n):
;             t = zeros(2)
;             s = s + t[i % 2]
;         return s
; pass: licm, cse, fuse, dce
; count: zeros in loops = 0
; run: @f(3) = 0.0
; run: @f(0) = 0.0
func @f array (%0: i64) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = const 2
  %5: f64 = for %1, %0, %2, %3 !r m0 {
  (%6: i64, %7: f64):
    %8: array<f64, 1> in m0 = zeros %4
    %9: i64 = mod %6, %4
    %10: f64 = load %8, %9 !r m0
    %11: f64 = add %7, %10
    continue[0] %11
  }
  return %5
}
; ---- after
func @f array (%0: i64) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = const 2
  %5: bool = lt %1, %0
  %6: f64 = if %5 !r m0 {
    %7: array<f64, 1> in m0 = zeros %4
    %8: f64 = for %1, %0, %2, %3 !r m0 {
    (%9: i64, %10: f64):
      %11: i64 = mod %9, %4
      %12: f64 = load %7, %11 !r m0
      %13: f64 = add %10, %12
      continue[0] %13
    }
    yield %8
  } else {
    yield %3
  }
  return %6
}
