; pass: versions
; count: mul = 1
; run: @f(3.0) = 9.0
export "f"("x": f64) -> f64 = @f

func @f array (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  return %1
}
; ---- after
export "f"("x": f64) -> f64 = @f

func @f array fast (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  return %1
}
