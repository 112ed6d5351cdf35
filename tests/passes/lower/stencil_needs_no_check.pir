; for i in range(1, n - 1): b[i] = a[i - 1] + a[i + 1]
; pass: lower
; count: check = 0
; run: @f([1.0, 2.0, 4.0, 8.0]) = [0.0, 5.0, 10.0, 0.0]
; run: @f([]) = []
func @f array (%0: array<f64, 1>) -> (array<f64, 1>) {
  %1: i64 = const 1
  %2: i64 = dim[0] %0
  %3: array<f64, 1> = zeros %2
  %4: i64 = sub %2, %1
  for %1, %4, %1 {
  (%5: i64):
    %6: i64 = sub %5, %1
    %7: i64 = add %5, %1
    %8: f64 = load %0, %6
    %9: f64 = load %0, %7
    %10: f64 = add %8, %9
    store %3, %10, %5
    continue[0]
  }
  return %3
}
