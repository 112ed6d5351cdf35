; pass: dce
; count: loop = 1
func @f array () -> () {
  loop {
    continue[0]
  }
  unreachable
}
; ---- after
func @f array () -> () {
  loop {
    continue[0]
  }
  unreachable
}
