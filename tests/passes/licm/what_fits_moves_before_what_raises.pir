; What raises for its lengths moves before something that raises first, where they fit.
; pass: licm
; run: @f([1.0, 2.0], [3.0, 4.0], 2, 5) = 22.0
; run: @f([1.0, 2.0], [3.0], 2, 5) = 18.0
; run: @f([1.0, 2.0], [3.0, 4.0, 5.0], 2, 5) raises ValueError
; run: @f([1.0, 2.0], [3.0, 4.0, 5.0], 2, 1) raises IndexError
; run: @f([1.0, 2.0], [3.0, 4.0, 5.0], 0, 5) = 0.0
func @f array fast (%a: array<f64, 1>, %b: array<f64, 1>, %n: i64, %m: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %nothing: f64 = const 0.0
  %sum: f64 = for %zero, %n, %one, %nothing {
  (%i: i64, %s: f64):
    %next: i64 = add %i, %one
    %ok: bool = lt %next, %m
    check[IndexError, "far"] %ok
    %c: array<f64, 1> = mul %a, %b
    %d: f64 = reduce[sum] %c
    %t: f64 = add %s, %d
    continue[0] %t
  }
  return %sum
}
; ---- after
func @f array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64, %3: i64) -> (f64) {
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 0.0
  %7: bool = lt %4, %2
  %8: i64 = dim[0] %0
  %9: i64 = dim[0] %1
  %10: i64 = const 1
  %11: bool = eq %8, %9
  %12: bool = eq %8, %10
  %13: bool = eq %9, %10
  %14: bool = or %12, %13
  %15: bool = or %11, %14
  %16: bool = and %7, %15
  %17: i64 = select %12, %9, %8
  %18: bool = not %16
  %19: f64 = if %18 !r m0|m1|m2|m3 cold {
    %20: f64 = for %4, %2, %5, %6 !r m0|m1|m2 {
    (%21: i64, %22: f64):
      %23: i64 = add %21, %5
      %24: bool = lt %23, %3
      check[IndexError, "far"] %24
      %25: array<f64, 1> in m2 = mul %0, %1 !r m0|m1
      %26: f64 = reduce[sum] %25 !r m2
      %27: f64 = add %22, %26
      continue[0] %27
    }
    yield %20
  } else {
    %28: array<f64, 1> in m3 = mul %0, %1 !r m0|m1
    %29: f64 = reduce[sum] %28 !r m3
    %30: f64 = for %4, %2, %5, %6 {
    (%31: i64, %32: f64):
      %33: i64 = add %31, %5
      %34: bool = lt %33, %3
      check[IndexError, "far"] %34
      %35: f64 = add %32, %29
      continue[0] %35
    }
    yield %30
  }
  return %19
}
