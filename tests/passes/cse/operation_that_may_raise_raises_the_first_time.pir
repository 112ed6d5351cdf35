; pass: cse
; count: floordiv = 1
; run: @f(7, 2) = 6
; run: @f(7, 0) raises ZeroDivisionError
func @f array (%0: i64, %1: i64) -> (i64) {
  %2: i64 = floordiv %0, %1
  %3: i64 = floordiv %0, %1
  %4: i64 = add %2, %3
  return %4
}
; ---- after
func @f array (%0: i64, %1: i64) -> (i64) {
  %2: i64 = floordiv %0, %1
  %3: i64 = add %2, %2
  return %3
}
