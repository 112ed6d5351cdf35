; `a[2 * i] = a[2 * i + 1]`: both move by 2, and neither reaches into the next pair.
; pass: prove-pfor
; run: @f([1.0, 2.0, 3.0, 4.0], 2) = [2.0, 2.0, 4.0, 4.0]
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  pfor %2, %1, %3 !r m0 !w m0 {
  (%5: i64):
    %6: i64 = mul %5, %4
    %7: i64 = add %6, %3
    %8: f64 = load %0, %7 !r m0
    store %0, %8, %6 !w m0
    continue[0]
  }
  return %0
}
