; NumPy's complaint about shapes names the operands in order, so only a negated second operand goes.
; pass: signs, dce
; count: neg = 1
; count: sub = 1
; run: @f([1.0, 2.0], [3.0, 5.0]) = [0.0, 0.0]
; run: @f([1.0, 2.0], [3.0, 5.0, 7.0]) raises ValueError
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (array<f64, 1>) {
  %2: array<f64, 1> in m1 = neg %0 !r m0
  %3: array<f64, 1> in m2 = add %2, %1 !r m0|m1
  %4: array<f64, 1> in m3 = neg %1 !r m0
  %5: array<f64, 1> in m4 = add %0, %4 !r m0|m3
  %6: array<f64, 1> in m5 = add %3, %5 !r m2|m4
  return %6
}
