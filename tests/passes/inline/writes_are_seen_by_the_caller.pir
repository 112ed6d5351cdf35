; pass: inline
; count: call = 0
; run: @f([1.0]) = 5.0
func @set array (%0: array<f64, 1> in m0) -> () {
  %1: f64 = const 5.0
  %2: i64 = const 0
  store %0, %1, %2 !w m0
  return
}

func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  call[@set] %0 !w m0
  %2: f64 = load %0, %1 !r m0
  return %2
}
; ---- after
func @set array (%0: array<f64, 1> in m0) -> () {
  %1: f64 = const 5.0
  %2: i64 = const 0
  store %0, %1, %2 !w m0
  return
}

func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = const 5.0
  %3: i64 = const 0
  store %0, %2, %3 !w m0
  %4: f64 = load %0, %1 !r m0
  return %4
}
