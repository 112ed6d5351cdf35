; The greater of a length and 0 is the length; of any other number it is not.
; pass: canonicalize
; count: max = 1
; run: @f([1.0, 2.0], -3) = 2, 0
func @f array (%a: array<f64, 1>, %m: i64) -> (i64, i64) {
  %zero: i64 = const 0
  %n: i64 = dim[0] %a
  %x: i64 = max %n, %zero
  %y: i64 = max %zero, %m
  return %x, %y
}
