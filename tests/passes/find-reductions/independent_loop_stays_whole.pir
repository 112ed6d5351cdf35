; Each iteration of the outer loop has a row of its own: that loop is looked at later, and nothing in it.
; pass: find-reductions
; count: pfor = 0
; count: for = 2
; run: @f([[0, 0], [0, 0]], [1, 1, 0]) = [[1, 2], [1, 2]]
func @f array fast (%0: array<i64, 2> in m0, %1: array<i64, 1> in m1) -> (array<i64, 2>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: i64 = dim[0] %1
  for %2, %4, %3 !r m0|m1 !w m0 {
  (%6: i64):
    for %2, %5, %3 !r m0|m1 !w m0 {
    (%7: i64):
      %8: i64 = load %1, %7 !r m1
      %9: i64 = load %0, %6, %8 !r m0
      %10: i64 = add %9, %3
      store %0, %10, %6, %8 !w m0
      continue[0]
    }
    continue[0]
  }
  return %0
}
