; pass: split-reductions
; count: pfor = 0
func @f array fast (%0: array<f64, 3> in m0, %1: array<f64, 2> in m1) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  for %2, %4, %3 !r m0|m2 !w m1 {
  (%5: i64):
    %6: array<f64, 2> in m0 = view[at] %0, %5
    %7: array<f64, 1> in m2 = reduce[sum axes 0] %6 !r m0
    %8: array<f64, 1> in m1 = view[at] %1, %5
    assign %8, %7 !r m2 !w m1
    continue[0]
  }
  return
}
