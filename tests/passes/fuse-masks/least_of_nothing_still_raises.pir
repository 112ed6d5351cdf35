; Without elements there is no least one, which the selection alone would not see.
; pass: fuse-masks
; count: call = 0
; count: check = 2
; run: @f([1.0, 2.0, 4.0], [false, true, true]) = 2.0, 4.0
; run: @f([1.0, nan, 4.0], [true, false, true]) = 1.0, 4.0
; run: @f([1.0, nan, 4.0], [true, true, true]) = nan, nan
; run: @f([1.0, 2.0], [false, false]) raises ValueError
; run: @f([], []) raises ValueError
func @masked_elements array operation "masked_elements" (%a: array<f64, 1>, %m: array<bool, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %m
  %zero: i64 = const 0
  %one: i64 = const 1
  %count: i64 = for %zero, %n, %one, %zero {
  (%i: i64, %so_far: i64):
    %is: bool = load %m, %i
    %add: i64 = cast %is
    %more: i64 = add %so_far, %add
    continue[0] %more
  }
  %c: array<f64, 1> = empty %count
  %end: i64 = for %zero, %n, %one, %zero {
  (%j: i64, %at: i64):
    %kept: bool = load %m, %j
    %next: i64 = if %kept {
      %x: f64 = load %a, %j
      store %c, %x, %at
      %after: i64 = add %at, %one
      yield %after
    } else {
      yield %at
    }
    continue[0] %next
  }
  return %c
}

func @f array fast (%x: array<f64, 1>, %m: array<bool, 1>) -> (f64, f64) {
  %c: array<f64, 1> = call[@masked_elements] %x, %m
  %least: f64 = reduce[min] %c
  %most: f64 = reduce[max] %c
  return %least, %most
}
; ---- after
func @masked_elements array operation "masked_elements" (%0: array<f64, 1> in m0, %1: array<bool, 1> in m0) -> (array<f64, 1>) {
  %2: i64 = dim[0] %1
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = for %3, %2, %4, %3 !r m0 {
  (%6: i64, %7: i64):
    %8: bool = load %1, %6 !r m0
    %9: i64 = cast %8
    %10: i64 = add %7, %9
    continue[0] %10
  }
  %11: array<f64, 1> in m1 = empty %5
  %12: i64 = for %3, %2, %4, %3 !r m0 !w m1 {
  (%13: i64, %14: i64):
    %15: bool = load %1, %13 !r m0
    %16: i64 = if %15 !r m0 !w m1 {
      %17: f64 = load %0, %13 !r m0
      store %11, %17, %14 !w m1
      %18: i64 = add %14, %4
      yield %18
    } else {
      yield %14
    }
    continue[0] %16
  }
  return %11
}

func @f array fast (%0: array<f64, 1> in m0, %1: array<bool, 1> in m1) -> (f64, f64) {
  %2: f64 = const inf
  %3: array<f64, 1> in m2 = select %1, %0, %2 !r m0|m1
  %4: f64 = reduce[min] %3 !r m2
  %5: array<i64, 1> in m3 = cast %1 !r m1
  %6: i64 = reduce[sum] %5 !r m3
  %7: i64 = const 0
  %8: bool = ne %6, %7
  check[ValueError, "zero-size array to reduction operation minimum which has no identity"] %8
  %9: f64 = const -inf
  %10: array<f64, 1> in m4 = select %1, %0, %9 !r m0|m1
  %11: f64 = reduce[max] %10 !r m4
  %12: array<i64, 1> in m5 = cast %1 !r m1
  %13: i64 = reduce[sum] %12 !r m5
  %14: i64 = const 0
  %15: bool = ne %13, %14
  check[ValueError, "zero-size array to reduction operation maximum which has no identity"] %15
  return %4, %11
}
