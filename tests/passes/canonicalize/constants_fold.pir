; pass: canonicalize
; count: add = 0
; count: mul = 0
; count: floordiv = 0
; run: @f() = 24, -4, 1
func @f array () -> (i64, i64, i64) {
  %0: i64 = const 2
  %1: i64 = const 4
  %2: i64 = const -7
  %3: i64 = add %0, %1
  %4: i64 = mul %3, %1
  %5: i64 = floordiv %2, %0
  %6: i64 = mod %2, %0
  return %4, %5, %6
}
; ---- after
func @f array () -> (i64, i64, i64) {
  %0: i64 = const 2
  %1: i64 = const 4
  %2: i64 = const -7
  %3: i64 = const 6
  %4: i64 = const 24
  %5: i64 = const -4
  %6: i64 = const 1
  return %4, %5, %6
}
