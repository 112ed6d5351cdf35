; pass: inline
; count: call = 0
; run: @f(2.0) = 16.0
func @f array (%0: f64) -> (f64) {
  %1: f64 = call[@fourth] %0
  return %1
}

func @fourth array (%0: f64) -> (f64) {
  %1: f64 = call[@square] %0
  %2: f64 = call[@square] %1
  return %2
}

func @square array (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  return %1
}
; ---- after
func @f array (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  %2: f64 = mul %1, %1
  return %2
}

func @fourth array (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  %2: f64 = mul %1, %1
  return %2
}

func @square array (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  return %1
}
