; pass: cse
; count: print = 2
; run: @f(1.5) =
func @f array (%0: f64) -> () {
  print[weak] %0
  print[weak] %0
  return
}
; ---- after
func @f array (%0: f64) -> () {
  print[weak] %0
  print[weak] %0
  return
}
