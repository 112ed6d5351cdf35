; One of three equal arrays is returned, and none is written.
; pass: cse
; count: add = 1
; run: @f([1.0, 2.0]) = 5.0, [2.0, 3.0], 5.0
func @f array (%0: array<f64, 1>) -> (f64, array<f64, 1>, f64) {
  %1: f64 = const 1.0
  %2: array<f64, 1> = add %0, %1
  %3: f64 = reduce[sum] %2
  %4: array<f64, 1> = add %0, %1
  %5: array<f64, 1> = add %0, %1
  %6: f64 = reduce[sum] %5
  return %3, %4, %6
}
