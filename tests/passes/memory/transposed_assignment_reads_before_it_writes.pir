;     def f(a):
;         a[:] = a.T * 1.0
;         return a
; pass: licm, cse, fuse, dce
; count: map = 0
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = [[1.0, 3.0], [2.0, 4.0]]
func @f array (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: f64 = const 1.0
  %2: array<f64, 2> in m0 = transpose[1, 0] %0
  %3: array<f64, 2> in m1 = mul %2, %1 !r m0
  assign %0, %3 !r m1 !w m0
  return %0
}
; ---- after
func @f array (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: f64 = const 1.0
  %2: array<f64, 2> in m0 = transpose[1, 0] %0
  %3: array<f64, 2> in m1 = mul %2, %1 !r m0
  assign %0, %3 !r m1 !w m0
  return %0
}
