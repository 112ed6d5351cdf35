; Both loops around name the element: first the one axis goes, then the other.
; pass: contract
; count: empty = 1
; count: empty in loops = 1
; count: load_raw = 3
; run: @f([[1.0, 2.0], [4.0, 8.0]]) = 85.0
func @f loop fast (%a: array<f64, 2>) -> (f64) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %t: array<f64, 2> = empty %n, %m
  %sum: f64 = for %zero, %n, %one, %start {
  (%i: i64, %p: f64):
    %part: f64 = for %zero, %m, %one, %p {
    (%j: i64, %q: f64):
      %x: f64 = load_raw %a, %i, %j
      %y: f64 = load_raw %a, %i, %j
      %z: f64 = mul %x, %y
      store_raw %t, %z, %i, %j
      %u: f64 = load_raw %t, %i, %j
      %r: f64 = add %q, %u
      continue[0] %r
    }
    continue[0] %part
  }
  return %sum
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: f64 = for %3, %1, %4, %5 !r m0|m1 !w m1 {
  (%7: i64, %8: f64):
    %9: f64 = for %3, %2, %4, %8 !r m0|m1 !w m1 {
    (%10: i64, %11: f64):
      %12: i64 = const 1
      %13: array<f64, 1> in m1 = empty %12
      %14: f64 = load_raw %0, %7, %10 !r m0
      %15: f64 = load_raw %0, %7, %10 !r m0
      %16: f64 = mul %14, %15
      %17: i64 = const 0
      store_raw %13, %16, %17 !w m1
      %18: i64 = const 0
      %19: f64 = load_raw %13, %18 !r m1
      %20: f64 = add %11, %19
      continue[0] %20
    }
    continue[0] %9
  }
  return %6
}
