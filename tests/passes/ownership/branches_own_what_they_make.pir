; pass: lower, ownership
; count: own >= 1
; run: @f([1.0], True) = [2.0]
; run: @f([1.0], False) = [1.0]
func @f array (%0: array<f64, 1> in m0, %1: bool) -> (array<f64, 1>) {
  %2: array<f64, 1> in m0|m1 = if %1 !r m0 {
    %3: array<f64, 1> in m1 = add %0, %0 !r m0
    yield %3
  } else {
    yield %0
  }
  return %2
}
