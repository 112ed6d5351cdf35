; pass: dce
; count: store = 1
; count: print = 1
; run: @f([1.0]) =
func @f array (%0: array<f64, 1> in m0) -> () {
  %1: f64 = const 2.0
  %2: i64 = const 0
  store %0, %1, %2 !w m0
  print[weak] %1
  return
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> () {
  %1: f64 = const 2.0
  %2: i64 = const 0
  store %0, %1, %2 !w m0
  print[weak] %1
  return
}
