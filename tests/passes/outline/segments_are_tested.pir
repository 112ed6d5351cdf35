; Pointers that fall make the loop run in order. One loop is the test, one the region's.
; pass: outline
; count: launch = 1
; count: for = 3
; count: le = 2
; run: @f([1, 2, 3, 4], [0, 2, 4], 2) = [1, 2, 4, 5]
; run: @f([1, 2, 3, 4], [0, 3, 1, 4], 3) = [1, 4, 5, 6]
; run: @f([1, 2, 3, 4], [3], 0) = [1, 2, 3, 4]
func @f loop fast (%0: array<i64, 1> in m0, %1: array<i64, 1> in m1, %2: i64) -> (array<i64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  pfor[| sliced write [v1[i] .. v1[i + 1]], sliced read [i ..= i + 1]] %3, %2, %4, %0, %1 !r m0|m1 !w m0 {
  (%5: i64):
    %6: i64 = load_raw %1, %5 !r m1
    %7: i64 = add %5, %4
    %8: i64 = load_raw %1, %7 !r m1
    for %6, %8, %4 !r m0 !w m0 {
    (%9: i64):
      %10: i64 = load_raw %0, %9 !r m0
      %11: i64 = add %10, %5
      store_raw %0, %11, %9 !w m0
      continue[0]
    }
    continue[0]
  }
  return %0
}
