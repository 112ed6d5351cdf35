; Its length and its items are known; what is asked beyond its end stays.
; pass: canonicalize
; count: list_len = 0
; count: list_get = 1
; run: @f(3, 4) = 3, 2
func @f array (%a: i64, %b: i64) -> (i64, i64) {
  %zero: i64 = const 0
  %two: i64 = const 2
  %l: list<i64> = list_new %a, %b
  %n: i64 = list_len %l
  %x: i64 = list_get %l, %zero
  %some: bool = lt %a, %zero
  if %some {
    %y: i64 = list_get %l, %two
    return %y, %y
  } else {
    yield
  }
  return %x, %n
}
; ---- after
func @f array (%0: i64, %1: i64) -> (i64, i64) {
  %2: i64 = const 0
  %3: i64 = const 2
  %4: list<i64> in m0 = list_new %0, %1
  %5: i64 = const 2
  %6: bool = lt %0, %2
  if %6 !r m0 {
    %7: i64 = list_get %4, %3 !r m0
    return %7, %7
  } else {
    yield
  }
  return %0, %5
}
