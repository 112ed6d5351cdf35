; pass: lower
; count: check = 1
; run: @f(-7, 2) = -4, -3
; run: @f(-9223372036854775808, -1) = -9223372036854775808, -3074457345618258603
; run: @f(7, 0) raises ZeroDivisionError
func @f array (%0: i64, %1: i64) -> (i64, i64) {
  %2: i64 = floordiv %0, %1
  %3: i64 = const 3
  %4: i64 = floordiv %0, %3
  return %2, %4
}
