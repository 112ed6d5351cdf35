; One of two equal arrays is written and the other one is returned.
; pass: cse
; count: add = 2
; run: @f([1.0, 2.0]) = [2.0, 3.0], 10.0
func @f array (%0: array<f64, 1>) -> (array<f64, 1>, f64) {
  %1: f64 = const 1.0
  %2: i64 = const 0
  %3: f64 = const 7.0
  %4: array<f64, 1> = add %0, %1
  %5: array<f64, 1> = add %0, %1
  store %5, %3, %2
  %6: f64 = reduce[sum] %5
  return %4, %6
}
