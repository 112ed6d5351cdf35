; The product moves behind a test that the loop runs: its shapes may not go together.
; pass: licm
; count: matmul in loops = 0
; count: if = 1
; run: @f([[2.0]], [[3.0]], 2) = 12.0
; run: @f([[2.0]], [[3.0]], 0) = 0.0
; run: @f([[2.0]], [[3.0], [4.0]], 0) = 0.0
; run: @f([[2.0]], [[3.0], [4.0]], 1) raises ValueError
func @f array (%0: array<f64, 2> in m0, %1: array<f64, 2> in m0, %2: i64) -> (f64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: f64 = for %3, %2, %4, %5 !r m0|m1 {
  (%7: i64, %8: f64):
    %9: array<f64, 2> in m1 = matmul %0, %1 !r m0
    %10: f64 = reduce[sum] %9 !r m1
    %11: f64 = add %8, %10
    continue[0] %11
  }
  return %6
}
; ---- after
func @f array (%0: array<f64, 2> in m0, %1: array<f64, 2> in m0, %2: i64) -> (f64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: bool = lt %3, %2
  %7: f64 = if %6 !r m0|m1 {
    %8: array<f64, 2> in m1 = matmul %0, %1 !r m0
    %9: f64 = reduce[sum] %8 !r m1
    %10: f64 = for %3, %2, %4, %5 {
    (%11: i64, %12: f64):
      %13: f64 = add %12, %9
      continue[0] %13
    }
    yield %10
  } else {
    yield %5
  }
  return %7
}
