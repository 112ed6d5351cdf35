; A number that is less than 16 together with 8, as unsigned ones, is from -8 to 7: only then is its neighbour no other number.
; pass: prove-bounds
; count: max = 1
; run: @f(7) = 16
; run: @f(-8) = 1
; run: @f(8) = 8
; run: @f(-9) = 8
; run: @f(9223372036854775807) = 9223372036854775807
func @f loop fast (%x: i64) -> (i64) {
  %one: i64 = const 1
  %eight: i64 = const 8
  %sixteen: i64 = const 16
  %moved: i64 = add %x, %eight
  %a: u64 = cast %moved
  %b: u64 = cast %sixteen
  %within: bool = lt %a, %b
  %r: i64 = if %within {
    %more: i64 = add %moved, %one
    %least: i64 = max %more, %one
    yield %least
  } else {
    %other: i64 = max %x, %eight
    yield %other
  }
  return %r
}
