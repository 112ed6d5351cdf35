; A mean asks for lengths beside the elements.
; pass: fuse, canonicalize, dce
; count: map = 1
; count: mul = 2
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = 20.0, 4
; run: @f([[1.0, 2.0, 3.0]]) = 12.0, 3
func @f array (%0: array<f64, 2> in m0) -> (f64, i64) {
  %1: f64 = const 2.0
  %2: array<f64, 2> in m1 = mul %0, %1 !r m0
  %3: f64 = reduce[sum] %2 !r m1
  %4: i64 = dim[0] %2
  %5: i64 = dim[1] %2
  %6: i64 = mul %4, %5
  return %3, %6
}
