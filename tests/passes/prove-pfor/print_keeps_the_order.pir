; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @f array (%0: i64) -> () {
  %1: i64 = const 0
  %2: i64 = const 1
  pfor %1, %0, %2 {
  (%3: i64):
    print[weak] %3
    continue[0]
  }
  return
}
