; A row that leaves the function is made by the iteration that returns it.
; pass: hoist-arrays
; count: empty in loops = 1
; run: @f([1.0, 2.0, 4.0], 2) = [4.0, 4.0, 4.0]
; run: @f([], 0) = []
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  for %zero, %n, %one {
  (%i: i64):
    %t: array<f64, 1> = empty %n
    %x: f64 = load_raw %a, %i
    for %zero, %n, %one {
    (%j: i64):
      store_raw %t, %x, %j
      continue[0]
    }
    %found: bool = eq %i, %k
    if %found {
      return %t
    } else {
      yield
    }
    continue[0]
  }
  %c: array<f64, 1> = empty %n
  return %c
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  for %3, %2, %4 !r m0 !w m1 {
  (%5: i64):
    %6: array<f64, 1> in m1 = empty %2
    %7: f64 = load_raw %0, %5 !r m0
    for %3, %2, %4 !w m1 {
    (%8: i64):
      store_raw %6, %7, %8 !w m1
      continue[0]
    }
    %9: bool = eq %5, %1
    if %9 {
      return %6
    } else {
      yield
    }
    continue[0]
  }
  %10: array<f64, 1> in m2 = empty %2
  return %10
}
