; pass: outline
; count: launch = 1
; run: @f([7], 3) = [7, 0, 1, 2]
func @f loop (%0: list<i64> in m0, %1: i64) -> (list<i64>) {
  %2: i64 = const 0
  %3: i64 = const 1
  pfor[| appended] %2, %1, %3, %0 !w m0 {
  (%4: i64):
    list_append %0, %4 !w m0
    continue[0]
  }
  return %0
}
