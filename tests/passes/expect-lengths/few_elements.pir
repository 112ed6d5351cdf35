; An argument beside an array of three elements has three, most of the time: the usual body has no stretched nest.
; pass: expect-lengths
; run: @f([1.0, 2.0, 3.0], 2.0) = [3.0, 4.0, 5.0]
; run: @f([1.0], 2.0) = [3.0, 3.0, 3.0]
; run: @f([1.0, 2.0], 2.0) raises ValueError
func @f loop fast (%a: array<f64, 1>, %x: f64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %three: i64 = const 3
  %eight: i64 = const 8
  %n: i64 = dim[0] %a
  %same: bool = eq %n, %three
  %single: bool = eq %n, %one
  %fits: bool = or %same, %single
  check[ValueError, "operands could not be broadcast together"] %fits
  %new: array<f64, 1> = empty %three
  if %same {
    for %zero, %n, %one {
    (%i: i64):
      %b: f64 = load_raw %a, %i
      %c: f64 = add %b, %x
      store_raw %new, %c, %i
      continue[0]
    }
    yield
  } else {
    %stride: i64 = select %single, %zero, %eight
    %wide: array<f64, 1> = raw_view %a, %zero, %three, %stride
    for %zero, %three, %one {
    (%j: i64):
      %d: f64 = load_raw %wide, %j
      %e: f64 = add %d, %x
      store_raw %new, %e, %j
      continue[0]
    }
    yield
  }
  return %new
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: f64) -> (array<f64, 1>) {
  %2: bool = const true
  %3: i64 = dim[0] %0
  %4: i64 = const 3
  %5: bool = eq %3, %4
  %6: i64 = const 3
  if %5 !r m0 !w m1|m2 {
    %7: i64 = const 0
    %8: i64 = const 1
    %9: i64 = const 3
    %10: i64 = const 8
    %11: i64 = dim[0] %0
    %12: bool = eq %6, %9
    %13: bool = eq %6, %8
    %14: bool = or %2, %13
    check[ValueError, "operands could not be broadcast together"] %14
    %15: array<f64, 1> in m1 = empty %9
    if %2 !r m0 !w m1 {
      for %7, %6, %8 !r m0 !w m1 {
      (%16: i64):
        %17: f64 = load_raw %0, %16 !r m0
        %18: f64 = add %17, %1
        store_raw %15, %18, %16 !w m1
        continue[0]
      }
      yield
    } else {
      %19: i64 = select %13, %7, %10
      %20: array<f64, 1> in m0 = raw_view %0, %7, %9, %19
      for %7, %9, %8 !r m0 !w m1 {
      (%21: i64):
        %22: f64 = load_raw %20, %21 !r m0
        %23: f64 = add %22, %1
        store_raw %15, %23, %21 !w m1
        continue[0]
      }
      yield
    }
    return %15
  } else {
    %24: i64 = const 0
    %25: i64 = const 1
    %26: i64 = const 3
    %27: i64 = const 8
    %28: i64 = dim[0] %0
    %29: bool = eq %28, %26
    %30: bool = eq %28, %25
    %31: bool = or %29, %30
    check[ValueError, "operands could not be broadcast together"] %31
    %32: array<f64, 1> in m2 = empty %26
    if %29 !r m0 !w m2 {
      for %24, %28, %25 !r m0 !w m2 {
      (%33: i64):
        %34: f64 = load_raw %0, %33 !r m0
        %35: f64 = add %34, %1
        store_raw %32, %35, %33 !w m2
        continue[0]
      }
      yield
    } else {
      %36: i64 = select %30, %24, %27
      %37: array<f64, 1> in m0 = raw_view %0, %24, %26, %36
      for %24, %26, %25 !r m0 !w m2 {
      (%38: i64):
        %39: f64 = load_raw %37, %38 !r m0
        %40: f64 = add %39, %1
        store_raw %32, %40, %38 !w m2
        continue[0]
      }
      yield
    }
    return %32
  }
  unreachable
}
