;     def f(a):
;         a[:] = a[::-1] + 1.0
;         return a
; pass: licm, cse, fuse, dce
; count: map = 0
; run: @f([1.0, 2.0, 3.0]) = [4.0, 3.0, 2.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const -1
  %2: f64 = const 1.0
  %3: array<f64, 1> in m0 = view[::step] %0, %1
  %4: array<f64, 1> in m1 = add %3, %2 !r m0
  assign %0, %4 !r m1 !w m0
  return %0
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const -1
  %2: f64 = const 1.0
  %3: array<f64, 1> in m0 = view[::step] %0, %1
  %4: array<f64, 1> in m1 = add %3, %2 !r m0
  assign %0, %4 !r m1 !w m0
  return %0
}
