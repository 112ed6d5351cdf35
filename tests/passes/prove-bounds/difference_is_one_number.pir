; The ends of a window are as far from each other as it is wide, if the sums wrap around or not.
; pass: prove-bounds
; count: sub = 0
; run: @f(5, 3) = 9
; run: @f(9223372036854775807, 3) = 9
; run: @f(9223372036854775807, 0) = 0
func @f loop fast (%from: i64, %k: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %three: i64 = const 3
  %near: i64 = const 1000
  %small: bool = lt %from, %near
  %positive: bool = lt %zero, %from
  %few: bool = lt %k, %near
  %some: bool = le %zero, %k
  %a: bool = and %small, %positive
  %b: bool = and %few, %some
  %all: bool = and %a, %b
  %r: i64 = if %all {
    %sum: i64 = for %zero, %three, %one, %zero {
    (%i: i64, %before: i64):
      %start: i64 = add %from, %i
      %end: i64 = add %start, %k
      %width: i64 = sub %end, %start
      %after: i64 = add %before, %width
      continue[0] %after
    }
    yield %sum
  } else {
    %thrice: i64 = mul %k, %three
    yield %thrice
  }
  return %r
}
