; Iterations write the pointers themselves.
; pass: prove-pfor
; refuse: read elements of an array that others write
func @f array fast (%0: array<i64, 1> in m0, %1: array<i64, 1> in m1, %2: i64) -> () {
  %3: i64 = const 0
  %4: i64 = const 1
  pfor %3, %2, %4 {
  (%5: i64):
    %6: i64 = load %1, %5 !r m1
    %7: i64 = add %5, %4
    %8: i64 = load %1, %7 !r m1
    for %6, %8, %4 {
    (%9: i64):
      store %0, %5, %9 !w m0
      continue[0]
    }
    store %1, %6, %5 !w m1
    continue[0]
  }
  return
}
