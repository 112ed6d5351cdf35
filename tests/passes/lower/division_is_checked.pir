; pass: lower
; count: check = 1
; run: @f(7, 2) = 3
; run: @f(7, 0) raises ZeroDivisionError
; run: @f(-9223372036854775808, -1) = -9223372036854775808
func @f array (%0: i64, %1: i64) -> (i64) {
  %2: i64 = floordiv %0, %1
  return %2
}
