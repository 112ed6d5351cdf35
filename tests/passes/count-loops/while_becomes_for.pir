; What counts is the index; what it is in the end is told by the bounds.
; pass: count-loops
; count: for = 1
; run: @f([1.0, 2.0, 3.0], 2) = 2, 3.0
; run: @f([1.0, 2.0, 3.0], 0) = 0, 0.0
; run: @f([1.0, 2.0, 3.0], -4) = 0, 0.0
func @f array (%x: array<f64, 1>, %n: i32) -> (i64, f64) {
  %zero: i64 = const 0
  %nothing: f64 = const 0.0
  %last: i64, %sum: f64 = loop %zero, %nothing {
  (%i: i64, %s: f64):
    %bound: i64 = cast %n
    %more: bool = lt %i, %bound
    if %more {
      yield
    } else {
      break[0] %i, %s
    }
    %one: i64 = const 1
    %v: f64 = load %x, %i
    %t: f64 = add %s, %v
    %next: i64 = add %i, %one
    continue[0] %next, %t
  }
  return %last, %sum
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i32) -> (i64, f64) {
  %2: i64 = const 0
  %3: f64 = const 0.0
  %4: i64 = cast %1
  %5: i64 = const 1
  %6: i64 = max %2, %4
  %7: f64 = for %2, %4, %5, %3 !r m0 {
  (%8: i64, %9: f64):
    %10: bool = lt %8, %4
    %11: i64 = const 1
    %12: f64 = load %0, %8 !r m0
    %13: f64 = add %9, %12
    %14: i64 = add %8, %11
    continue[0] %13
  }
  return %6, %7
}
