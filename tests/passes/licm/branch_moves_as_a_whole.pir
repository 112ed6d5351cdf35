; Which of its ways is taken does not change, nor what it computes.
; pass: licm
; count: reduce in loops = 0
; run: @f([4, 2], 3) = 6
; run: @f([], 3) = -3
func @f array fast (%x: array<i64, 1>, %n: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %r: i64 = for %zero, %n, %one, %zero {
  (%i: i64, %sum: i64):
    %length: i64 = dim[0] %x
    %some: bool = lt %zero, %length
    %least: i64 = if %some {
      %min: i64 = reduce[min] %x
      yield %min
    } else {
      %none: i64 = const -1
      yield %none
    }
    %next: i64 = add %sum, %least
    continue[0] %next
  }
  return %r
}
