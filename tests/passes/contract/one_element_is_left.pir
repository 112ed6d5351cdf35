; Of a temporary with one axis one element is left, which `scalarize` makes a number.
; pass: contract
; count: empty = 2
; count: empty in loops = 1
; run: @f([1.0, 2.0, 4.0]) = [2.0, 6.0, 20.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %t: array<f64, 1> = empty %n
  %c: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = mul %x, %x
    store_raw %t, %y, %i
    %z: f64 = load_raw %t, %i
    %u: f64 = add %z, %x
    store_raw %c, %u, %i
    continue[0]
  }
  return %c
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 1> in m1 = empty %1
  for %2, %1, %3 !r m0|m2 !w m1|m2 {
  (%5: i64):
    %6: i64 = const 1
    %7: array<f64, 1> in m2 = empty %6
    %8: f64 = load_raw %0, %5 !r m0
    %9: f64 = mul %8, %8
    %10: i64 = const 0
    store_raw %7, %9, %10 !w m2
    %11: i64 = const 0
    %12: f64 = load_raw %7, %11 !r m2
    %13: f64 = add %12, %8
    store_raw %4, %13, %5 !w m1
    continue[0]
  }
  return %4
}
