; It raises where it stands.
; pass: canonicalize
; count: floordiv = 1
; run: @f() raises ZeroDivisionError
func @f array () -> (i64) {
  %0: i64 = const 7
  %1: i64 = const 0
  %2: i64 = floordiv %0, %1
  return %2
}
; ---- after
func @f array () -> (i64) {
  %0: i64 = const 7
  %1: i64 = const 0
  %2: i64 = floordiv %0, %1
  return %2
}
