; pass: inline
; count: call = 0
; count: mul = 2
; run: @f(3.0) = 9.0
func @square array (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  return %1
}

func @f array (%0: f64) -> (f64) {
  %1: f64 = call[@square] %0
  return %1
}
; ---- after
func @square array (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  return %1
}

func @f array (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  return %1
}
