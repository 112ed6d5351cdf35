; pass: licm
; count: draw_integer in loops = 2
func @f array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 6
  %4: array<u64, 1> = zeros %3
  %5: i64 = for %1, %0, %2, %1 {
  (%6: i64, %7: i64):
    %8: i64 = draw_integer %4, %1, %3
    %9: i64 = draw_integer %1, %3
    %10: i64 = add %8, %9
    %11: i64 = add %7, %10
    continue[0] %11
  }
  return %5
}
