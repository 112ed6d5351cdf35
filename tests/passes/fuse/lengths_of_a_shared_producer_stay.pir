; Two reductions of one array need it, whoever asks for its length.
; pass: fuse
; count: map = 0
; count: dim = 1
; run: @f([1.0, 2.0]) = 5.0, 6.0, 2
func @f array (%0: array<f64, 1> in m0) -> (f64, f64, i64) {
  %1: f64 = const 1.0
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  %3: f64 = reduce[sum] %2 !r m1
  %4: f64 = reduce[prod] %2 !r m1
  %5: i64 = dim[0] %2
  return %3, %4, %5
}
