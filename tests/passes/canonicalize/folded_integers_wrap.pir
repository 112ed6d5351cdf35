; pass: canonicalize
; count: add = 0
; count: neg = 0
; run: @f() = -9223372036854775808, -9223372036854775808
func @f array () -> (i64, i64) {
  %0: i64 = const 9223372036854775807
  %1: i64 = const 1
  %2: i64 = const -9223372036854775808
  %3: i64 = add %0, %1
  %4: i64 = neg %2
  return %3, %4
}
; ---- after
func @f array () -> (i64, i64) {
  %0: i64 = const 9223372036854775807
  %1: i64 = const 1
  %2: i64 = const -9223372036854775808
  %3: i64 = const -9223372036854775808
  %4: i64 = const -9223372036854775808
  return %3, %4
}
