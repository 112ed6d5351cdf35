; a[i, 1:] of an array without gaps has none.
; pass: lower
; count: stride = 0
; run: @f([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], -1) = 11.0
; run: @f([[1.0, 2.0, 3.0]], 1) raises IndexError
func @f array fast (%0: array<f64, 2>, %1: i64) -> (f64) {
  %2: i64 = const 1
  %3: array<f64, 1> = view[at, start:] %0, %1, %2
  %4: f64 = reduce[sum] %3
  return %4
}
