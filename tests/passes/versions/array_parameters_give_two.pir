; pass: versions
; count: reduce = 2
export "f"("a": array<f64, 1>) -> f64 = @f
func @f array (%0: array<f64, 1>) -> (f64) {
  %1: f64 = reduce[sum] %0
  return %1
}
; ---- after
export "f"("a": array<f64, 1>) -> f64 = @f.fast if contiguous, @f.general

func @f.general array general (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = reduce[sum] %0 !r m0
  return %1
}

func @f.fast array fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = reduce[sum] %0 !r m0
  return %1
}
