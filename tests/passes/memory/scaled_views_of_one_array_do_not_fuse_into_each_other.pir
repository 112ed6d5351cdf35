; `lo` is read after it was written through `a`.
;     def f(a):
;         lo = a[:2]
;         s = lo * 2.0
;         a[:] = 0.0
;         return s + lo
; pass: licm, cse, fuse, dce
; count: map = 0
; run: @f([1.0, 2.0, 3.0]) = [2.0, 4.0]
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 2
  %2: f64 = const 2.0
  %3: f64 = const 0.0
  %4: array<f64, 1> in m0 = view[:stop] %0, %1
  %5: array<f64, 1> in m1 = mul %4, %2 !r m0
  assign %0, %3 !w m0
  %6: array<f64, 1> in m2 = add %5, %4 !r m0|m1
  return %6
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 2
  %2: f64 = const 2.0
  %3: f64 = const 0.0
  %4: array<f64, 1> in m0 = view[:stop] %0, %1
  %5: array<f64, 1> in m1 = mul %4, %2 !r m0
  assign %0, %3 !w m0
  %6: array<f64, 1> in m2 = add %5, %4 !r m0|m1
  return %6
}
