; The first index is a constant, the others are those of the loops, as in `np.indices`.
; pass: contract
; count: empty in loops = 1
; run: @f(2, 3) = [[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]
func @f loop fast (%n: i64, %m: i64) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %ten: f64 = const 10.0
  %t: array<f64, 3> = empty %two, %n, %m
  %c: array<f64, 2> = zeros %n, %m
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      %x: f64 = cast %i
      %y: f64 = cast %j
      store_raw %t, %x, %zero, %i, %j
      store_raw %t, %y, %one, %i, %j
      %a: f64 = load_raw %t, %zero, %i, %j
      %b: f64 = load_raw %t, %one, %i, %j
      %tens: f64 = mul %a, %ten
      %sum: f64 = add %tens, %b
      store_raw %c, %sum, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %c
}
; ---- after
func @f loop fast (%0: i64, %1: i64) -> (array<f64, 2>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: f64 = const 10.0
  %6: i64 = const 0
  %7: bool = ge %0, %6
  check[ValueError, "negative dimensions are not allowed"] %7
  %8: i64 = const 0
  %9: bool = ge %1, %8
  check[ValueError, "negative dimensions are not allowed"] %9
  %10: array<f64, 2> in m0 = zeros %0, %1
  for %2, %0, %3 !r m1 !w m0|m1 {
  (%11: i64):
    %12: i64 = const 0
    %13: bool = ge %1, %12
    check[ValueError, "negative dimensions are not allowed"] %13
    for %2, %1, %3 !r m1 !w m0|m1 {
    (%14: i64):
      %15: array<f64, 1> in m1 = empty %4
      %16: f64 = cast %11
      %17: f64 = cast %14
      store_raw %15, %16, %2 !w m1
      store_raw %15, %17, %3 !w m1
      %18: f64 = load_raw %15, %2 !r m1
      %19: f64 = load_raw %15, %3 !r m1
      %20: f64 = mul %18, %5
      %21: f64 = add %20, %19
      store_raw %10, %21, %11, %14 !w m0
      continue[0]
    }
    continue[0]
  }
  return %10
}
