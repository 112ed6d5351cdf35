; What NumPy says about shapes that do not fit is said by a check before.
;     def f(a, b):
;         b[:] = a * 2.0
;         return b
; pass: licm, cse, fuse, dce
; count: map = 1
; count: check = 1
; run: @f([1.0, 2.0], [0.0, 0.0]) = [2.0, 4.0]
; run: @f([1.0], [0.0, 0.0]) = [2.0, 2.0]
; run: @f([1.0, 2.0, 3.0], [0.0, 0.0]) raises ValueError
func @f array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: f64 = const 2.0
  %3: array<f64, 1> in m2 = mul %0, %2 !r m0
  assign %1, %3 !r m2 !w m1
  return %1
}
; ---- after
func @f array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: f64 = const 2.0
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: i64 = const 1
  %6: bool = eq %3, %4
  %7: bool = eq %3, %5
  %8: bool = or %6, %7
  check[ValueError, "could not broadcast input array from shape ({0},) into shape ({1},)"] %8, %3, %4
  map[into] %1, %0 !r m0|m1 !w m1 {
  (%9: f64, %10: f64):
    %11: f64 = mul %10, %2
    yield %11
  }
  return %1
}
