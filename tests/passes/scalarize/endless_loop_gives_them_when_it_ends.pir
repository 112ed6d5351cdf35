; A `loop` carries them, and its break gives them.
; pass: scalarize
; count: store_raw = 0
; run: @f(10) = 16, 5
; run: @f(0) = 1, 1
func @f loop fast (%k: i64) -> (i64, i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %t: array<i64, 1> = empty %two
  store_raw %t, %one, %zero
  store_raw %t, %one, %one
  loop {
    %x: i64 = load_raw %t, %zero
    %y: i64 = load_raw %t, %one
    %done: bool = ge %x, %k
    if %done {
      break[0]
    } else {
      yield
    }
    %double: i64 = mul %x, %two
    store_raw %t, %double, %zero
    %next: i64 = add %y, %one
    store_raw %t, %next, %one
    continue[0]
  }
  %u: i64 = load_raw %t, %zero
  %v: i64 = load_raw %t, %one
  return %u, %v
}
; ---- after
func @f loop fast (%0: i64) -> (i64, i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 2
  %4: i64 = const 0
  %5: i64, %6: i64 = loop %2, %2 {
  (%7: i64, %8: i64):
    %9: bool = ge %7, %0
    if %9 {
      break[0] %7, %8
    } else {
      yield
    }
    %10: i64 = mul %7, %3
    %11: i64 = add %8, %2
    continue[0] %10, %11
  }
  return %5, %6
}
