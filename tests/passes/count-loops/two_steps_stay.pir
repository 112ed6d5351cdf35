; One iteration goes further than the other.
; pass: count-loops
; count: for = 0
; run: @f([1.0, 2.0, 3.0, 4.0], 2.0) = 3
func @f array (%x: array<f64, 1>, %what: f64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %n: i64 = dim[0] %x
  %steps: i64, %last: i64 = loop %zero, %zero {
  (%k: i64, %i: i64):
    %more: bool = lt %i, %n
    if %more {
      yield
    } else {
      break[0] %k, %i
    }
    %count: i64 = add %k, %one
    %v: f64 = load %x, %i
    %is: bool = eq %v, %what
    if %is {
      %far: i64 = add %i, %two
      continue[0] %count, %far
    } else {
      yield
    }
    %next: i64 = add %i, %one
    continue[0] %count, %next
  }
  return %steps
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: f64) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: i64 = dim[0] %0
  %6: i64, %7: i64 = loop %2, %2 !r m0 {
  (%8: i64, %9: i64):
    %10: bool = lt %9, %5
    if %10 {
      yield
    } else {
      break[0] %8, %9
    }
    %11: i64 = add %8, %3
    %12: f64 = load %0, %9 !r m0
    %13: bool = eq %12, %1
    if %13 {
      %14: i64 = add %9, %4
      continue[0] %11, %14
    } else {
      yield
    }
    %15: i64 = add %9, %3
    continue[0] %11, %15
  }
  return %6
}
