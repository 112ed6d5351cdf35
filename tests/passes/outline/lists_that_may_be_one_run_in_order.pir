; Two names of one list would be two lists in each part.
; pass: outline
; count: launch = 0
; count: for = 1
func @f loop (%0: list<i64> in m0, %1: list<i64> in m0, %2: i64) -> () {
  %3: i64 = const 0
  %4: i64 = const 1
  pfor[| appended, appended] %3, %2, %4, %0, %1 !w m0 {
  (%5: i64):
    list_append %0, %5 !w m0
    list_append %1, %5 !w m0
    continue[0]
  }
  return
}
