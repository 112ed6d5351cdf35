; The test costs as much as what could move.
; pass: licm
; run: @f([2.0], [3.0], 12.0) = 12.0
func @f array (%a: array<f64, 1>, %b: array<f64, 1>, %n: f64) -> (f64) {
  %nothing: f64 = const 0.0
  %sum: f64 = loop %nothing {
  (%s: f64):
    %e: array<f64, 1> = add %a, %s
    %r: f64 = reduce[sum] %e
    %more: bool = lt %r, %n
    if %more {
      yield
    } else {
      break[0] %s
    }
    %c: array<f64, 1> = mul %a, %b
    %d: f64 = reduce[sum] %c
    %t: f64 = add %s, %d
    continue[0] %t
  }
  return %sum
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0, %2: f64) -> (f64) {
  %3: f64 = const 0.0
  %4: f64 = loop %3 !r m0|m1|m2 {
  (%5: f64):
    %6: array<f64, 1> in m1 = add %0, %5 !r m0
    %7: f64 = reduce[sum] %6 !r m1
    %8: bool = lt %7, %2
    if %8 {
      yield
    } else {
      break[0] %5
    }
    %9: array<f64, 1> in m2 = mul %0, %1 !r m0
    %10: f64 = reduce[sum] %9 !r m2
    %11: f64 = add %5, %10
    continue[0] %11
  }
  return %4
}
