; The other way ends the iteration; what is made on the way stays a result.
; pass: canonicalize
; run: @f([1.0, -2.0, 3.0]) = 8.0
func @f array (%x: array<f64, 1>) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %nothing: f64 = const 0.0
  %n: i64 = dim[0] %x
  %sum: f64 = for %zero, %n, %one, %nothing {
  (%i: i64, %s: f64):
    %v: f64 = load %x, %i
    %below: bool = lt %v, %nothing
    %same: f64, %twice: f64 = if %below {
      continue[0] %s
    } else {
      %w: f64 = add %v, %v
      yield %s, %w
    }
    %t: f64 = add %same, %twice
    continue[0] %t
  }
  return %sum
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = dim[0] %0
  %5: f64 = for %1, %4, %2, %3 !r m0 {
  (%6: i64, %7: f64):
    %8: f64 = load %0, %6 !r m0
    %9: bool = lt %8, %3
    %10: f64 = if %9 {
      continue[0] %7
    } else {
      %11: f64 = add %8, %8
      yield %11
    }
    %12: f64 = add %7, %10
    continue[0] %12
  }
  return %5
}
