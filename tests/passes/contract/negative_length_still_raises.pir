; A length of no array may be negative: the error is raised although the array is gone.
; pass: contract
; count: check = 1
; count: empty in loops = 1
; run: @f(4) = 14
; run: @f(0) = 0
; run: @f(-1) raises ValueError
func @f loop fast (%n: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %t: array<i64, 1> = empty %n
  %sum: i64 = for %zero, %n, %one, %zero {
  (%i: i64, %p: i64):
    %x: i64 = mul %i, %i
    store_raw %t, %x, %i
    %y: i64 = load_raw %t, %i
    %q: i64 = add %p, %y
    continue[0] %q
  }
  return %sum
}
; ---- after
func @f loop fast (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 0
  %4: bool = ge %0, %3
  check[ValueError, "negative dimensions are not allowed"] %4
  %5: i64 = for %1, %0, %2, %1 !r m0 !w m0 {
  (%6: i64, %7: i64):
    %8: i64 = const 1
    %9: array<i64, 1> in m0 = empty %8
    %10: i64 = mul %6, %6
    %11: i64 = const 0
    store_raw %9, %10, %11 !w m0
    %12: i64 = const 0
    %13: i64 = load_raw %9, %12 !r m0
    %14: i64 = add %7, %13
    continue[0] %14
  }
  return %5
}
