; pass: read-only
; count: read_only = 0
; count: store = 0
; count: check = 1
func @f array (%0: array<f64, 2> in m0, %1: f64) -> (array<f64, 1>) {
  %2: array<f64, 1> in m0 = diagonal %0
  %3: array<f64, 1> in m0 = read_only %2
  %4: i64 = const 0
  store %3, %1, %4 !w m0
  return %3
}
