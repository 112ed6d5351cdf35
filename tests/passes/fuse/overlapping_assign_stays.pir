; Elements would be written before they are read.
; pass: fuse
; count: map = 0
; run: @f([1.0, 2.0, 3.0]) = [1.0, 2.0, 3.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 1
  %2: i64 = const -1
  %3: f64 = const 1.0
  %4: array<f64, 1> in m0 = view[start:] %0, %1
  %5: array<f64, 1> in m0 = view[:stop] %0, %2
  %6: array<f64, 1> in m1 = add %5, %3 !r m0
  assign %4, %6 !r m1 !w m0
  return %0
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 1
  %2: i64 = const -1
  %3: f64 = const 1.0
  %4: array<f64, 1> in m0 = view[start:] %0, %1
  %5: array<f64, 1> in m0 = view[:stop] %0, %2
  %6: array<f64, 1> in m1 = add %5, %3 !r m0
  assign %4, %6 !r m1 !w m0
  return %0
}
