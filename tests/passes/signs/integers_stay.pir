; pass: signs
; count: neg = 1
func @f array (%0: i64, %1: i64) -> (i64) {
  %2: i64 = neg %0
  %3: i64 = mul %2, %1
  return %3
}
