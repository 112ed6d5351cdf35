; for i in range(1, n): b[i] = a[i + 1]
; pass: lower
; count: check in loops = 1
; run: @f([1.0, 2.0, 4.0]) raises IndexError
; run: @f([1.0]) = [0.0]
func @f array (%0: array<f64, 1>) -> (array<f64, 1>) {
  %1: i64 = const 1
  %2: i64 = dim[0] %0
  %3: array<f64, 1> = zeros %2
  for %1, %2, %1 {
  (%4: i64):
    %5: i64 = add %4, %1
    %6: f64 = load %0, %5
    store %3, %6, %4
    continue[0]
  }
  return %3
}
