; Additions of integers are quick.
; pass: unroll-scans
; count: for = 1
func @f loop fast (%0: array<i64, 1>) -> (array<i64, 1>) {
  %1: i64 = dim[0] %0
  %2: array<i64, 1> = empty %1
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = for %3, %1, %4, %3 {
  (%6: i64, %7: i64):
    %8: i64 = load_raw %0, %6
    %9: i64 = add %7, %8
    store_raw %2, %9, %6
    continue[0] %9
  }
  return %2
}
