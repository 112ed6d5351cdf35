; pass: drop-unused
; count: call = 0
; run: @f(3.0) = 3.0
export "f"("x": f64) -> f64 = @f

func @a array recursive (%0: f64) -> (f64) {
  %1: f64 = call[@b] %0
  return %1
}

func @b array recursive (%0: f64) -> (f64) {
  %1: f64 = call[@a] %0
  return %1
}

func @f array (%0: f64) -> (f64) {
  return %0
}
; ---- after
export "f"("x": f64) -> f64 = @f

func @f array (%0: f64) -> (f64) {
  return %0
}
