; It raises before the loop ends.
; pass: count-loops
; count: for = 0
; run: @f([1.0, 2.0], 2) raises IndexError
func @f array (%x: array<f64, 1>, %n: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %nothing: f64 = const 0.0
  %last: i64, %sum: f64 = loop %zero, %nothing {
  (%i: i64, %s: f64):
    %v: f64 = load %x, %i
    %more: bool = lt %i, %n
    if %more {
      yield
    } else {
      break[0] %i, %s
    }
    %t: f64 = add %s, %v
    %next: i64 = add %i, %one
    continue[0] %next, %t
  }
  return %sum
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: i64, %6: f64 = loop %2, %4 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = load %0, %7 !r m0
    %10: bool = lt %7, %1
    if %10 {
      yield
    } else {
      break[0] %7, %8
    }
    %11: f64 = add %8, %9
    %12: i64 = add %7, %3
    continue[0] %12, %11
  }
  return %6
}
