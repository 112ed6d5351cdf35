; pass: read-only
; count: read_only = 0
; count: store = 0
; count: check = 1
func @f array (%0: array<f64, 1> in m0, %1: f64) -> (array<f64, 2>) {
  %2: i64 = const 2
  %3: array<f64, 2> in m0 = windows %0, %2
  %4: array<f64, 2> in m0 = read_only %3
  %5: i64 = const 0
  store %4, %1, %5, %5 !w m0
  return %4
}
