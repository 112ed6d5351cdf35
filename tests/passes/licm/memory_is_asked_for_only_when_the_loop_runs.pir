; `zeros(10**18)` is a MemoryError where it is done, and nothing where it is not.
; pass: licm
; count: zeros in loops = 0
; count: if = 1
; run: @f(0) = 0.0
func @f array (%0: i64) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = const 1000000000000000000
  %5: f64 = for %1, %0, %2, %3 !r m0 {
  (%6: i64, %7: f64):
    %8: array<f64, 1> in m0 = zeros %4
    %9: f64 = load %8, %6 !r m0
    %10: f64 = add %7, %9
    continue[0] %10
  }
  return %5
}
; ---- after
func @f array (%0: i64) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = const 1000000000000000000
  %5: bool = lt %1, %0
  %6: f64 = if %5 !r m0 {
    %7: array<f64, 1> in m0 = zeros %4
    %8: f64 = for %1, %0, %2, %3 !r m0 {
    (%9: i64, %10: f64):
      %11: f64 = load %7, %9 !r m0
      %12: f64 = add %10, %11
      continue[0] %12
    }
    yield %8
  } else {
    yield %3
  }
  return %6
}
