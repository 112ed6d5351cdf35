; pass: canonicalize
func @f array (%0: array<i64, 2> in m0, %1: i64) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64, %5: array<i64, 2> in m0 = for %2, %1, %3, %2, %0 {
  (%6: i64, %7: i64, %8: array<i64, 2> in m0):
    %9: i64 = dim[0] %8
    %10: i64 = add %7, %9
    continue[0] %10, %0
  }
  %11: i64 = dim[0] %0
  %12: i64 = sub %4, %11
  return %12
}
; ---- after
func @f array (%0: array<i64, 2> in m0, %1: i64) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64, %5: array<i64, 2> in m0 = for %2, %1, %3, %2, %0 {
  (%6: i64, %7: i64, %8: array<i64, 2> in m0):
    %9: i64 = dim[0] %8
    %10: i64 = add %7, %9
    continue[0] %10, %0
  }
  %11: i64 = dim[0] %0
  %12: i64 = sub %4, %11
  return %12
}
