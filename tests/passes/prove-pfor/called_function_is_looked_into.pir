; At every optimisation level: where there is a parallel loop, functions are inlined before it is looked at.
; pass: prove-pfor
; count: call = 0
; count: pfor = 1
; run: @f([1.0, 2.0], 2) = [5.0, 5.0]
func @set array (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: f64 = const 5.0
  store %0, %2, %1 !w m0
  return
}

func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  pfor %2, %1, %3 !w m0 {
  (%4: i64):
    call[@set] %0, %4 !w m0
    continue[0]
  }
  return %0
}
