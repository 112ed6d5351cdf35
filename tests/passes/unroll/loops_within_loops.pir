; A matrix of two rows: the loop within becomes two stores, then the one around it.
; pass: unroll
; count: for = 0
; count: store_raw = 4
; run: @f([1.0, 2.0]) = 8.0
func @f loop fast (%a: array<f64, 1>) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %t: array<f64, 2> = empty %two, %two
  for %zero, %two, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    for %zero, %two, %one {
    (%j: i64):
      %y: f64 = load_raw %a, %j
      %z: f64 = mul %x, %y
      store_raw %t, %z, %i, %j
      continue[0]
    }
    continue[0]
  }
  %first: f64 = load_raw %t, %one, %one
  %second: f64 = load_raw %t, %zero, %one
  %third: f64 = load_raw %t, %one, %zero
  %some: f64 = add %first, %second
  %sum: f64 = add %some, %third
  return %sum
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 2
  %4: array<f64, 2> in m1 = empty %3, %3
  %5: i64 = const 0
  %6: f64 = load_raw %0, %5 !r m0
  %7: i64 = const 0
  %8: f64 = load_raw %0, %7 !r m0
  %9: f64 = mul %6, %8
  store_raw %4, %9, %5, %7 !w m1
  %10: i64 = const 1
  %11: f64 = load_raw %0, %10 !r m0
  %12: f64 = mul %6, %11
  store_raw %4, %12, %5, %10 !w m1
  %13: i64 = const 1
  %14: f64 = load_raw %0, %13 !r m0
  %15: i64 = const 0
  %16: f64 = load_raw %0, %15 !r m0
  %17: f64 = mul %14, %16
  store_raw %4, %17, %13, %15 !w m1
  %18: i64 = const 1
  %19: f64 = load_raw %0, %18 !r m0
  %20: f64 = mul %14, %19
  store_raw %4, %20, %13, %18 !w m1
  %21: f64 = load_raw %4, %2, %2 !r m1
  %22: f64 = load_raw %4, %1, %2 !r m1
  %23: f64 = load_raw %4, %2, %1 !r m1
  %24: f64 = add %21, %22
  %25: f64 = add %24, %23
  return %25
}
