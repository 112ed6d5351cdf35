; pass: read-only
; count: read_only = 0
; count: store = 1
; count: check = 0
func @f array (%0: array<f64, 2> in m0, %1: f64) -> (array<f64, 1>) {
  %2: array<f64, 1> in m0 = diagonal %0
  %3: array<f64, 1> in m0 = read_only %2
  %4: array<f64, 1> in m1 = copy %3 !r m0
  %5: i64 = const 0
  store %4, %1, %5 !w m1
  return %4
}
