; pass: lower
; count: empty = 2
; run: @main([1.0, 2.0, 3.0]) = [1.0, 1.0, 2.0]
func @f array general (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (array<f64, 1>) {
  assign %1, %0 !r m0 !w m0
  return %1
}

func @main array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 1
  %2: i64 = const -1
  %3: array<f64, 1> in m0 = view[start:] %0, %1
  %4: array<f64, 1> in m0 = view[:stop] %0, %2
  assign %3, %4 !r m0 !w m0
  return %0
}
