; Neither is written or given away.
; pass: cse
; count: add = 1
; run: @f([1.0, 2.0]) = 5.0, 5.0
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: f64 = const 1.0
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  %3: array<f64, 1> in m2 = add %0, %1 !r m0
  %4: f64 = reduce[sum] %2 !r m1
  %5: f64 = reduce[sum] %3 !r m2
  return %4, %5
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: f64 = const 1.0
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  %3: f64 = reduce[sum] %2 !r m1
  return %3, %3
}
