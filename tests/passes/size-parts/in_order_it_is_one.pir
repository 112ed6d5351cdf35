; pass: size-parts
; count: parts = 0
; count: floordiv = 0
; run: @f(5) = 1
func @f loop (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = parts %0
  for %1, %3, %2 {
  (%4: i64):
    continue[0]
  }
  return %3
}
