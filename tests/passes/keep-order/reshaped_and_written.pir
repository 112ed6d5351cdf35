; pass: keep-order
; count: empty_strided = 1
; count: keep_order = 0
func @f array general (%0: array<f64, 2>) -> (f64) {
  %1: i64 = const 0
  %2: f64 = const 5.0
  %3: array<f64, 2> = copy %0
  %4: array<f64, 2> = keep_order[copy] %3, %0
  %5: array<f64, 1> = reshape %4
  store %5, %2, %1
  %6: f64 = load %4, %1, %1
  return %6
}
