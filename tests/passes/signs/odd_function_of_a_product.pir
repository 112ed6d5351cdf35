; What differs by a sign only is computed once.
; pass: signs, cse, dce
; count: erf = 1
; count: mul = 1
; run: @f(0.5, 1.0) = 0.0
; run: @f(0.0, 2.0) = 0.0
func @f array (%0: f64, %1: f64) -> (f64) {
  %2: f64 = mul %0, %1
  %3: f64 = erf %2
  %4: f64 = neg %0
  %5: f64 = mul %4, %1
  %6: f64 = erf %5
  %7: f64 = add %3, %6
  return %7
}
