; Where they are not, backends run the general version's loop serially.
; pass: prove-pfor
; run: @shift([0.0, 0.0], [3.0, 4.0]) = [0.0, 3.0]
func @shift array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (array<f64, 1>) {
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  pfor %2, %3, %2 !r m0 !w m0 {
  (%4: i64):
    %5: i64 = sub %4, %2
    %6: f64 = load %1, %5 !r m0
    store %0, %6, %4 !w m0
    continue[0]
  }
  return %0
}
