; uint8 and -1 are held by int16; the branch inside is part of it, and so is the loop that is left early.
; pass: narrow, dce
; count: cast = 1
; run: @f([3, 9], 5) = 9
; run: @f([3, 2], 5) = -1
; run: @f([], 5) = -1
func @f array (%0: array<u8, 1> in m0, %1: u8) -> (i16) {
  %2: i64 = const -1
  %3: i64 = dim[0] %0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: i64 = for %4, %3, %5, %2 !r m0 {
  (%7: i64, %8: i64):
    %9: u8 = load %0, %7 !r m0
    %10: bool = gt %9, %1
    %11: i64 = if %10 {
      %12: i64 = cast %9
      break[0] %12
    } else {
      yield %8
    }
    continue[0] %11
  }
  %13: i16 = cast %6
  return %13
}
