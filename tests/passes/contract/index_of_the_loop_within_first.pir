; The first axis goes with the index of either loop within, so no iteration has a part of its own along it; the last one goes with the loop around.
; pass: contract
; count: empty in loops = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]]) = [5.0, 80.0]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %c: array<f64, 1> = empty %n
  %t: array<f64, 2> = empty %n, %m
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      %x: f64 = load_raw %a, %i, %j
      %y: f64 = mul %x, %x
      store_raw %t, %y, %j, %i
      continue[0]
    }
    %sum: f64 = for %zero, %m, %one, %start {
    (%k: i64, %p: f64):
      %z: f64 = load_raw %t, %k, %i
      %q: f64 = add %p, %z
      continue[0] %q
    }
    store_raw %c, %sum, %i
    continue[0]
  }
  return %c
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: array<f64, 1> in m1 = empty %1
  for %3, %1, %4 !r m0|m2 !w m1|m2 {
  (%7: i64):
    %8: array<f64, 1> in m2 = empty %1
    for %3, %2, %4 !r m0 !w m2 {
    (%9: i64):
      %10: f64 = load_raw %0, %7, %9 !r m0
      %11: f64 = mul %10, %10
      store_raw %8, %11, %9 !w m2
      continue[0]
    }
    %12: f64 = for %3, %2, %4, %5 !r m2 {
    (%13: i64, %14: f64):
      %15: f64 = load_raw %8, %13 !r m2
      %16: f64 = add %14, %15
      continue[0] %16
    }
    store_raw %6, %12, %7 !w m1
    continue[0]
  }
  return %6
}
