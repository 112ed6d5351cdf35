; Nothing would be gained: the number is only used as an int64.
; pass: narrow
; count: cast = 1
; run: @f([3, 9]) = 9
func @f array (%0: array<u8, 1> in m0) -> (i64) {
  %1: i64 = const 0
  %2: i64 = dim[0] %0
  %3: i64 = const 1
  %4: i64 = for %1, %2, %3, %1 !r m0 {
  (%5: i64, %6: i64):
    %7: u8 = load %0, %5 !r m0
    %8: i64 = cast %7
    continue[0] %8
  }
  return %4
}
