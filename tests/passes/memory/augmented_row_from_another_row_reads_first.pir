;     def f(m):
;         m[0] += m[1] * 2.0
;         m[1] += m[0] * 2.0
;         return m
; Rows of one matrix are of one class: each product is computed before its row is written.
; pass: licm, cse, fuse, dce
; count: assign = 2
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = [[7.0, 10.0], [17.0, 24.0]]
func @f array (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 2.0
  %4: array<f64, 1> in m0 = view[at] %0, %1
  %5: array<f64, 1> in m0 = view[at] %0, %2
  %6: array<f64, 1> in m1 = mul %5, %3 !r m0
  %7: array<f64, 1> in m2 = add %4, %6 !r m0|m1
  assign %4, %7 !r m2 !w m0
  %8: array<f64, 1> in m3 = mul %4, %3 !r m0
  %9: array<f64, 1> in m4 = add %5, %8 !r m0|m3
  assign %5, %9 !r m4 !w m0
  return %0
}
; ---- after
func @f array (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 2.0
  %4: array<f64, 1> in m0 = view[at] %0, %1
  %5: array<f64, 1> in m0 = view[at] %0, %2
  %6: array<f64, 1> in m1 = map %5, %4 !r m0 {
  (%7: f64, %8: f64):
    %9: f64 = mul %7, %3
    %10: f64 = add %8, %9
    yield %10
  }
  assign %4, %6 !r m1 !w m0
  %11: array<f64, 1> in m2 = map %4, %5 !r m0 {
  (%12: f64, %13: f64):
    %14: f64 = mul %12, %3
    %15: f64 = add %13, %14
    yield %15
  }
  assign %5, %11 !r m2 !w m0
  return %0
}
