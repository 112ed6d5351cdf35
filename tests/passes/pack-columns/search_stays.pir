; It becomes no vector, or several rows go side by side.
; pass: pack-columns
; count: empty = 0
func @f loop fast (%a: array<f64, 2> in m0, %b: array<f64, 2> in m1, %out: array<i64, 1> in m2) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const inf
  %m: i64 = dim[0] %a
  %n: i64 = dim[0] %b
  for %zero, %m, %one {
  (%i: i64):
    %p: f64 = load_raw %a, %i, %zero
    %best: f64, %at: i64 = for %zero, %n, %one, %none, %zero {
    (%j: i64, %least: f64, %k: i64):
      %q: f64 = load_raw %b, %j, %zero
      %d: f64 = sub %p, %q
      %s: f64 = abs %d
      %less: bool = lt %s, %least
      %t: f64 = select %less, %s, %least
      %l: i64 = select %less, %j, %k
      continue[0] %t, %l
    }
    store_raw %out, %at, %i
    continue[0]
  }
  return %out
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<f64, 2> in m1, %2: array<i64, 1> in m2) -> (array<i64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const inf
  %6: i64 = dim[0] %0
  %7: i64 = dim[0] %1
  for %3, %6, %4 !r m0|m1 !w m2 {
  (%8: i64):
    %9: f64 = load_raw %0, %8, %3 !r m0
    %10: f64, %11: i64 = for %3, %7, %4, %5, %3 !r m1 {
    (%12: i64, %13: f64, %14: i64):
      %15: f64 = load_raw %1, %12, %3 !r m1
      %16: f64 = sub %9, %15
      %17: f64 = abs %16
      %18: bool = lt %17, %13
      %19: f64 = select %18, %17, %13
      %20: i64 = select %18, %12, %14
      continue[0] %19, %20
    }
    store_raw %2, %11, %8 !w m2
    continue[0]
  }
  return %2
}
