; What one loop writes another one reads.
; pass: contract
; count: empty in loops = 0
; run: @f([1.0, 2.0]) = 5.0
func @f loop fast (%a: array<f64, 1>) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %t: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = mul %x, %x
    store_raw %t, %y, %i
    continue[0]
  }
  %sum: f64 = for %zero, %n, %one, %start {
  (%j: i64, %p: f64):
    %u: f64 = load_raw %t, %j
    %q: f64 = add %p, %u
    continue[0] %q
  }
  return %sum
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: array<f64, 1> in m1 = empty %1
  for %2, %1, %3 !r m0 !w m1 {
  (%6: i64):
    %7: f64 = load_raw %0, %6 !r m0
    %8: f64 = mul %7, %7
    store_raw %5, %8, %6 !w m1
    continue[0]
  }
  %9: f64 = for %2, %1, %3, %4 !r m1 {
  (%10: i64, %11: f64):
    %12: f64 = load_raw %5, %10 !r m1
    %13: f64 = add %11, %12
    continue[0] %13
  }
  return %9
}
