; Each iteration adds to what was there before all of them.
; pass: prove-pfor
; refuse: iterations of this `pfor` write the same elements
func @f array (%0: array<i64, 1> in m0, %1: array<i64, 1> in m0) -> () {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = dim[0] %0
  %7: i64 = load %0, %3 !r m0
  %8: i64 = load %1, %7 !r m0
  pfor %3, %5, %4 !r m0 !w m0 {
  (%6: i64):
    %10: i64 = load %0, %6 !r m0
    %9: i64 = add %8, %10
    store %1, %9, %7 !w m0
    continue[0]
  }
  return
}
