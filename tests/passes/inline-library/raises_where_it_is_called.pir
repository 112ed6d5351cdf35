; pass: inline-library
; count: call = 0
; run: @f(0) raises ValueError
; run: @f(3) = 3
func @nonzero array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: bool = ne %0, %1
  check[ValueError, "zero"] %2
  return %0
}

func @f array (%0: i64) -> (i64) {
  %1: i64 = call[@nonzero] %0 at 2:5 in "f"
  return %1 at 2:1 in "f"
}
