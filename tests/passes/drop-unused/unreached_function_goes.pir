; pass: drop-unused
; count: mul = 1
; count: sub = 0
; run: @f(3.0) = 9.0
export "f"("x": f64) -> f64 = @f

func @unused array (%0: f64) -> (f64) {
  %1: f64 = sub %0, %0
  return %1
}

func @square array (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  return %1
}

func @f array (%0: f64) -> (f64) {
  %1: f64 = call[@square] %0
  return %1
}
; ---- after
export "f"("x": f64) -> f64 = @f

func @square array (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  return %1
}

func @f array (%0: f64) -> (f64) {
  %1: f64 = call[@square] %0
  return %1
}
