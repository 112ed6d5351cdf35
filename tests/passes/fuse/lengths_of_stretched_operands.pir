; Which operand is stretched is not known, so the length is computed; of different shapes the error comes first.
; pass: fuse, canonicalize, dce
; count: map = 1
; count: select = 1
; run: @f([1.0, 2.0, 3.0], [2.0]) = 12.0, 3
; run: @f([2.0], [1.0, 2.0]) = 7.0, 2
; run: @f([2.0], []) = 0.0, 0
; run: @f([1.0, 2.0, 3.0], [1.0, 2.0]) raises ValueError
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (f64, i64) {
  %2: array<f64, 1> in m1 = add %0, %1 !r m0
  %3: f64 = reduce[sum] %2 !r m1
  %4: i64 = dim[0] %2
  return %3, %4
}
