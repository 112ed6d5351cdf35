; What the loop starts from is the caller's: the array of the steps starts as a copy, and where there are none it is the caller's own.
; pass: update-in-place
; count: empty = 1
; run: @f([1.0, 2.0, 4.0], 1) = [2.0, 4.0, 8.0]
; run: @f([1.0, 2.0, 4.0], 3) = [8.0, 16.0, 32.0]
; run: @f([1.0, 2.0, 4.0], 0) = [1.0, 2.0, 4.0]
; run: @f([], 2) = []
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %last: array<f64, 1> = for %zero, %steps, %one, %a {
  (%t: i64, %old: array<f64, 1>):
    %new: array<f64, 1> = empty %n
    for %zero, %n, %one {
    (%j: i64):
      %y: f64 = load_raw %old, %j
      %z: f64 = add %y, %y
      store_raw %new, %z, %j
      continue[0]
    }
    continue[0] %new
  }
  return %last
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: bool = lt %2, %1
  %6: bool = not %5
  %7: array<f64, 1> in m0|m1 = if %6 !r m0|m1 !w m1 {
    yield %0
  } else {
    %8: array<f64, 1> in m1 = empty %4
    for %2, %4, %3 !r m0 !w m1 {
    (%9: i64):
      %10: f64 = load_raw %0, %9 !r m0
      store_raw %8, %10, %9 !w m1
      continue[0]
    }
    for %2, %1, %3 !r m1 !w m1 {
    (%11: i64):
      for %2, %4, %3 !r m1 !w m1 {
      (%12: i64):
        %13: f64 = load_raw %8, %12 !r m1
        %14: f64 = add %13, %13
        store_raw %8, %14, %12 !w m1
        continue[0]
      }
      continue[0]
    }
    yield %8
  }
  return %7
}
