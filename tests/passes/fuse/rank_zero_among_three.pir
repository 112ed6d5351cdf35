; An array without axes has the shape of any other: the others are compared where they were.
; pass: fuse
; count: map = 1
; count: check = 1
; run: @f([[true, false]], 3, [1, 2]) = [[3.0, 2.0]]
func @f array (%0: array<bool, 2> in m0, %1: array<i64, 0> in m0, %2: array<i64, 1> in m0) -> (array<f64, 2>) {
  %3: array<i64, 2> in m1 = select %0, %1, %2 !r m0
  %4: array<f64, 2> in m2 = cast %3 !r m1
  return %4
}
