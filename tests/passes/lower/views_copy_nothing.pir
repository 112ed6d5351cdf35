; pass: lower
; count: empty = 0
; count: for = 0
; count: raw_view >= 1
; run: @f([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) = [[6.0, 4.0], [3.0, 1.0]]
func @f array (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = const -1
  %2: i64 = const -2
  %3: array<f64, 2> in m0 = view[::step, ::step] %0, %1, %2
  return %3
}
