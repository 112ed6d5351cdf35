; The sum that is subtracted comes from one of two branches.
; pass: carried-last
; run: @f([1.0, 1e16, 1.0, 1.0, -1e16, 1.0]) = 3.0
func @f loop fast (%x: array<f64, 1>) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %half: f64 = const 0.5
  %n: i64 = dim[0] %x
  %r: f64, %more: f64 = for %zero, %n, %one, %start, %start {
  (%i: i64, %s: f64, %c: f64):
    %a: f64 = load_raw %x, %i
    %large: bool = gt %a, %half
    %t: f64 = if %large {
      %p: f64 = add %s, %a
      yield %p
    } else {
      %q: f64 = add %a, %s
      yield %q
    }
    %d: f64 = sub %s, %t
    %e: f64 = add %c, %d
    %next: f64 = add %e, %a
    continue[0] %t, %next
  }
  %sum: f64 = add %r, %more
  return %sum
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: f64 = const 0.5
  %5: i64 = dim[0] %0
  %6: f64, %7: f64 = for %1, %5, %2, %3, %3 !r m0 {
  (%8: i64, %9: f64, %10: f64):
    %11: f64 = load_raw %0, %8 !r m0
    %12: bool = gt %11, %4
    %13: f64 = if %12 {
      %14: f64 = add %9, %11
      yield %14
    } else {
      %15: f64 = add %11, %9
      yield %15
    }
    %16: f64 = sub %9, %13
    %17: f64 = add %10, %16
    %18: f64 = add %17, %11
    continue[0] %13, %18
  }
  %19: f64 = add %6, %7
  return %19
}
