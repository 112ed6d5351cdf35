; What the loop gives in the end is carried beside what it gives early.
; pass: count-loops
; count: for = 1
; run: @f([1.0, 2.0, 3.0], 2.0) = 1
; run: @f([1.0, 2.0, 3.0], 4.0) = -1
func @f array (%x: array<f64, 1>, %what: f64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %found: i64 = loop %zero {
  (%i: i64):
    %n: i64 = dim[0] %x
    %done: bool = ge %i, %n
    if %done {
      %none: i64 = const -1
      break[0] %none
    } else {
      yield
    }
    %v: f64 = load %x, %i
    %is: bool = eq %v, %what
    if %is {
      break[0] %i
    } else {
      yield
    }
    %next: i64 = add %i, %one
    continue[0] %next
  }
  return %found
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: f64) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const -1
  %5: i64 = dim[0] %0
  %6: i64 = const 1
  %7: i64 = for %2, %5, %6, %4 !r m0 {
  (%8: i64, %9: i64):
    %10: bool = ge %8, %5
    %11: f64 = load %0, %8 !r m0
    %12: bool = eq %11, %1
    if %12 {
      break[0] %8
    } else {
      yield
    }
    %13: i64 = add %8, %3
    continue[0] %9
  }
  return %7
}
