; `a[i - 1]` is the last element in the first iteration, and in no other: there are no more iterations than elements.
; pass: prove-pfor
; run: @f([0.0, 0.0, 0.0]) = [1.0, 2.0, 0.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  pfor %1, %3, %2 !w m0 {
  (%4: i64):
    %5: f64 = cast %4
    %6: i64 = sub %4, %2
    store %0, %5, %6 !w m0
    continue[0]
  }
  return %0
}
