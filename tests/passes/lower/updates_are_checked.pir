; As a store is. Of an element that nobody uses it is only checked whether there is one.
; pass: lower
; count: update_raw = 1
; count: load_raw = 0
; count: check = 1
; run: @f([1, 2], -1, 5) = [1, 5]
; run: @f([1, 2], 0, -3) = [1, 2]
; run: @f([1, 2], 2, 5) raises IndexError
func @f array fast (%0: array<i64, 1> in m0, %1: i64, %2: i64) -> (array<i64, 1>) {
  %3: i64 = load %0, %1 !r m0
  update[max] %0, %2, %1 !r m0 !w m0
  return %0
}
