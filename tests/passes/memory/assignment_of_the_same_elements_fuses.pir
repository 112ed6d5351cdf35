;     def f(a):
;         a[:] = a * 2.0
;         return a
; pass: licm, cse, fuse, dce
; count: map = 1
; count: assign = 0
; run: @f([1.0, 2.0, 3.0]) = [2.0, 4.0, 6.0]
; run: @f([]) = []
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: f64 = const 2.0
  %2: array<f64, 1> in m1 = mul %0, %1 !r m0
  assign %0, %2 !r m1 !w m0
  return %0
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: f64 = const 2.0
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %0
  %4: i64 = const 1
  %5: bool = eq %2, %3
  %6: bool = eq %2, %4
  %7: bool = or %5, %6
  check[ValueError, "could not broadcast input array from shape ({0},) into shape ({1},)"] %7, %2, %3
  map[into] %0, %0 !r m0 !w m0 {
  (%8: f64, %9: f64):
    %10: f64 = mul %9, %1
    yield %10
  }
  return %0
}
