; pass: inline-library
; count: call = 1
; run: @f(3) = 6
func @twice array (%0: i64) -> (i64) {
  %1: i64 = add %0, %0 at 2:5 in "twice"
  return %1 at 2:1 in "twice"
}

func @f array (%0: i64) -> (i64) {
  %1: i64 = call[@twice] %0 at 5:5 in "f"
  return %1 at 5:1 in "f"
}
