; The general version writes to what may be the mask, whose elements it still needs.
; pass: fuse-masks
; count: call = 2
; count: select = 0
; run: @f([true, false, true], [true, true, false]) = [false, true, true]
func @masked_elements array operation "masked_elements" (%a: array<bool, 1>, %m: array<bool, 1>) -> (array<bool, 1>) {
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
  %c: array<bool, 1> = empty %count
  %end: i64 = for %zero, %n, %one, %zero {
  (%j: i64, %at: i64):
    %kept: bool = load %m, %j
    %next: i64 = if %kept {
      %x: bool = load %a, %j
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

func @put_masked array operation "put_masked" (%a: array<bool, 1>, %m: array<bool, 1>, %v: array<bool, 1>) -> () {
  %n: i64 = dim[0] %m
  %zero: i64 = const 0
  %one: i64 = const 1
  %end: i64 = for %zero, %n, %one, %zero {
  (%j: i64, %at: i64):
    %kept: bool = load %m, %j
    %next: i64 = if %kept {
      %x: bool = load %v, %at
      store %a, %x, %j
      %after: i64 = add %at, %one
      yield %after
    } else {
      yield %at
    }
    continue[0] %next
  }
  return
}

func @f array general (%x: array<bool, 1>, %m: array<bool, 1>) -> (array<bool, 1>) {
  %c: array<bool, 1> = call[@masked_elements] %x, %m
  %d: array<bool, 1> = not %c
  call[@put_masked] %x, %m, %d
  return %x
}
; ---- after
func @masked_elements array operation "masked_elements" (%0: array<bool, 1> in m0, %1: array<bool, 1> in m0) -> (array<bool, 1>) {
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
  %11: array<bool, 1> in m1 = empty %5
  %12: i64 = for %3, %2, %4, %3 !r m0 !w m1 {
  (%13: i64, %14: i64):
    %15: bool = load %1, %13 !r m0
    %16: i64 = if %15 !r m0 !w m1 {
      %17: bool = load %0, %13 !r m0
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

func @put_masked array operation "put_masked" (%0: array<bool, 1> in m0, %1: array<bool, 1> in m0, %2: array<bool, 1> in m0) -> () {
  %3: i64 = dim[0] %1
  %4: i64 = const 0
  %5: i64 = const 1
  %6: i64 = for %4, %3, %5, %4 !r m0 !w m0 {
  (%7: i64, %8: i64):
    %9: bool = load %1, %7 !r m0
    %10: i64 = if %9 !r m0 !w m0 {
      %11: bool = load %2, %8 !r m0
      store %0, %11, %7 !w m0
      %12: i64 = add %8, %5
      yield %12
    } else {
      yield %8
    }
    continue[0] %10
  }
  return
}

func @f array general (%0: array<bool, 1> in m0, %1: array<bool, 1> in m0) -> (array<bool, 1>) {
  %2: array<bool, 1> in m1 = call[@masked_elements] %0, %1 !r m0
  %3: array<bool, 1> in m2 = not %2 !r m1
  call[@put_masked] %0, %1, %3 !r m0|m2 !w m0
  return %0
}
