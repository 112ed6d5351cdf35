; Each column is gone down for each row of the first factor.
; pass: pack-columns
; count: empty = 1
; run: @f([[1.0, 2.0]], [[1.0, 2.0], [3.0, 4.0]], [[0.0, 0.0]]) = [[7.0, 10.0]]
func @f loop fast (%a: array<f64, 2> in m0, %b: array<f64, 2> in m1, %out: array<f64, 2> in m2) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %n: i64 = dim[0] %a
  %k: i64 = dim[1] %a
  %m: i64 = dim[1] %b
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      %sum: f64 = for %zero, %k, %one, %none {
      (%q: i64, %s: f64):
        %x: f64 = load_raw %a, %i, %q
        %y: f64 = load_raw %b, %q, %j
        %z: f64 = mul %x, %y
        %t: f64 = add %s, %z
        continue[0] %t
      }
      store_raw %out, %sum, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %out
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0, %1: array<f64, 2> in m1, %2: array<f64, 2> in m2) -> (array<f64, 2>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: i64 = dim[0] %0
  %7: i64 = dim[1] %0
  %8: i64 = dim[1] %1
  %9: i64 = sub %6, %3
  %10: bool = lt %3, %6
  %11: i64 = dim[0] %1
  %12: i64 = dim[1] %1
  %13: i64 = const 0
  %14: i64 = const 2
  %15: i64 = sub %8, %3
  %16: i64 = max %15, %13
  %17: i64 = mul %9, %16
  %18: i64 = const 4
  %19: i64 = const 16
  %20: i64 = const 33554432
  %21: i64 = mul %12, %18
  %22: i64 = mul %11, %12
  %23: bool = ge %17, %21
  %24: bool = ge %11, %19
  %25: bool = le %22, %20
  %26: bool = and %10, %23
  %27: bool = and %26, %24
  %28: bool = and %27, %25
  if %28 !r m0|m1|m3 !w m2|m3 {
    %29: i64 = dim[1] %1
    %30: i64 = dim[0] %1
    %31: array<f64, 2> in m3 = empty %29, %30
    %32: i64 = const 0
    %33: i64 = const 1
    for %32, %30, %33 !r m1 !w m3 {
    (%34: i64):
      for %32, %29, %33 !r m1 !w m3 {
      (%35: i64):
        %36: f64 = load_raw %1, %34, %35 !r m1
        store_raw %31, %36, %35, %34 !w m3
        continue[0]
      }
      continue[0]
    }
    for %3, %6, %4 !r m0|m3 !w m2 {
    (%37: i64):
      for %3, %8, %4 !r m0|m3 !w m2 {
      (%38: i64):
        %39: f64 = for %3, %7, %4, %5 !r m0|m3 {
        (%40: i64, %41: f64):
          %42: f64 = load_raw %0, %37, %40 !r m0
          %43: f64 = load_raw %31, %38, %40 !r m3
          %44: f64 = mul %42, %43
          %45: f64 = add %41, %44
          continue[0] %45
        }
        store_raw %2, %39, %37, %38 !w m2
        continue[0]
      }
      continue[0]
    }
    yield
  } else {
    for %3, %6, %4 !r m0|m1 !w m2 {
    (%46: i64):
      for %3, %8, %4 !r m0|m1 !w m2 {
      (%47: i64):
        %48: f64 = for %3, %7, %4, %5 !r m0|m1 {
        (%49: i64, %50: f64):
          %51: f64 = load_raw %0, %46, %49 !r m0
          %52: f64 = load_raw %1, %49, %47 !r m1
          %53: f64 = mul %51, %52
          %54: f64 = add %50, %53
          continue[0] %54
        }
        store_raw %2, %48, %46, %47 !w m2
        continue[0]
      }
      continue[0]
    }
    yield
  }
  return %2
}
