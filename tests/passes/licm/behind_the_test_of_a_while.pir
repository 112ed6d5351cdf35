; What may raise moves behind a copy of the test.
; pass: licm
; run: @f([2.0], [3.0], 2.0) = 12.0
; run: @f([2.0], [3.0], 0.0) = 0.0
; run: @f([2.0, 1.0], [3.0, 1.0, 2.0], 0.0) = 0.0
; run: @f([2.0, 1.0], [3.0, 1.0, 2.0], 1.0) raises ValueError
func @f array (%a: array<f64, 1>, %b: array<f64, 1>, %n: f64) -> (f64) {
  %nothing: f64 = const 0.0
  %one: f64 = const 1.0
  %last: f64, %sum: f64 = loop %nothing, %nothing {
  (%i: f64, %s: f64):
    %more: bool = lt %i, %n
    if %more {
      yield
    } else {
      break[0] %i, %s
    }
    %la: i64 = dim[0] %a
    %lb: i64 = dim[0] %b
    %same: bool = eq %la, %lb
    check[ValueError, "lengths"] %same
    %c: array<f64, 1> = mul %a, %b
    %d: f64 = reduce[sum] %c
    %t: f64 = add %s, %d
    %next: f64 = add %i, %one
    continue[0] %next, %t
  }
  return %sum
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0, %2: f64) -> (f64) {
  %3: f64 = const 0.0
  %4: f64 = const 1.0
  %5: i64 = dim[0] %0
  %6: i64 = dim[0] %1
  %7: bool = eq %5, %6
  %8: bool = lt %3, %2
  %9: f64, %10: f64 = if %8 !r m0|m1 {
    check[ValueError, "lengths"] %7
    %11: array<f64, 1> in m1 = mul %0, %1 !r m0
    %12: f64 = reduce[sum] %11 !r m1
    %13: f64, %14: f64 = loop %3, %3 {
    (%15: f64, %16: f64):
      %17: bool = lt %15, %2
      if %17 {
        yield
      } else {
        break[0] %15, %16
      }
      %18: f64 = add %16, %12
      %19: f64 = add %15, %4
      continue[0] %19, %18
    }
    yield %13, %14
  } else {
    yield %3, %3
  }
  return %10
}
