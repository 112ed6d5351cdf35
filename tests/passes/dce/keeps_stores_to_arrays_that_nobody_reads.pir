; It looks at results only.
; pass: dce
; count: zeros = 1
; count: store = 1
; run: @f() = 1
func @f array () -> (i64) {
  %0: i64 = const 1
  %1: f64 = const 2.0
  %2: i64 = const 0
  %3: array<f64, 1> in m0 = zeros %0
  store %3, %1, %2 !w m0
  return %0
}
; ---- after
func @f array () -> (i64) {
  %0: i64 = const 1
  %1: f64 = const 2.0
  %2: i64 = const 0
  %3: array<f64, 1> in m0 = zeros %0
  store %3, %1, %2 !w m0
  return %0
}
