; Two, three and four coordinates have loops of known length; all other numbers share one nest.
; pass: short-axes
; count: for = 12
; count: if = 3
; run: @f([[1.0], [3.0]]) = [[0.0, 4.0], [4.0, 0.0]]
; run: @f([[1.0, 2.0], [3.0, 5.0]]) = [[0.0, 13.0], [13.0, 0.0]]
; run: @f([[1.0, 2.0, 4.0], [3.0, 5.0, 5.0]]) = [[0.0, 14.0], [14.0, 0.0]]
; run: @f([[1.0, 2.0, 4.0, 0.5], [3.0, 5.0, 5.0, 1.0]]) = [[0.0, 14.25], [14.25, 0.0]]
; run: @f([[1.0, 2.0, 4.0, 0.5, 1.0], [3.0, 5.0, 5.0, 1.0, 2.0]]) = [[0.0, 15.25], [15.25, 0.0]]
; run: @f([]) = []
func @f loop fast (%p: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %p
  %k: i64 = dim[1] %p
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %d: array<f64, 2> = empty %n, %n
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %n, %one {
    (%j: i64):
      %sum: f64 = for %zero, %k, %one, %none {
      (%c: i64, %s: f64):
        %x: f64 = load_raw %p, %i, %c
        %y: f64 = load_raw %p, %j, %c
        %z: f64 = sub %x, %y
        %q: f64 = mul %z, %z
        %t: f64 = add %s, %q
        continue[0] %t
      }
      store_raw %d, %sum, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %d
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: array<f64, 2> in m1 = empty %1, %1
  %7: i64 = const 3
  %8: bool = eq %2, %7
  if %8 !r m0 !w m1 {
    for %3, %1, %4 !r m0 !w m1 {
    (%9: i64):
      for %3, %1, %4 !r m0 !w m1 {
      (%10: i64):
        %11: f64 = for %3, %7, %4, %5 !r m0 {
        (%12: i64, %13: f64):
          %14: f64 = load_raw %0, %9, %12 !r m0
          %15: f64 = load_raw %0, %10, %12 !r m0
          %16: f64 = sub %14, %15
          %17: f64 = mul %16, %16
          %18: f64 = add %13, %17
          continue[0] %18
        }
        store_raw %6, %11, %9, %10 !w m1
        continue[0]
      }
      continue[0]
    }
    yield
  } else {
    %19: i64 = const 2
    %20: bool = eq %2, %19
    if %20 !r m0 !w m1 {
      for %3, %1, %4 !r m0 !w m1 {
      (%21: i64):
        for %3, %1, %4 !r m0 !w m1 {
        (%22: i64):
          %23: f64 = for %3, %19, %4, %5 !r m0 {
          (%24: i64, %25: f64):
            %26: f64 = load_raw %0, %21, %24 !r m0
            %27: f64 = load_raw %0, %22, %24 !r m0
            %28: f64 = sub %26, %27
            %29: f64 = mul %28, %28
            %30: f64 = add %25, %29
            continue[0] %30
          }
          store_raw %6, %23, %21, %22 !w m1
          continue[0]
        }
        continue[0]
      }
      yield
    } else {
      %31: i64 = const 4
      %32: bool = eq %2, %31
      if %32 !r m0 !w m1 {
        for %3, %1, %4 !r m0 !w m1 {
        (%33: i64):
          for %3, %1, %4 !r m0 !w m1 {
          (%34: i64):
            %35: f64 = for %3, %31, %4, %5 !r m0 {
            (%36: i64, %37: f64):
              %38: f64 = load_raw %0, %33, %36 !r m0
              %39: f64 = load_raw %0, %34, %36 !r m0
              %40: f64 = sub %38, %39
              %41: f64 = mul %40, %40
              %42: f64 = add %37, %41
              continue[0] %42
            }
            store_raw %6, %35, %33, %34 !w m1
            continue[0]
          }
          continue[0]
        }
        yield
      } else {
        for %3, %1, %4 !r m0 !w m1 {
        (%43: i64):
          for %3, %1, %4 !r m0 !w m1 {
          (%44: i64):
            %45: f64 = for %3, %2, %4, %5 !r m0 {
            (%46: i64, %47: f64):
              %48: f64 = load_raw %0, %43, %46 !r m0
              %49: f64 = load_raw %0, %44, %46 !r m0
              %50: f64 = sub %48, %49
              %51: f64 = mul %50, %50
              %52: f64 = add %47, %51
              continue[0] %52
            }
            store_raw %6, %45, %43, %44 !w m1
            continue[0]
          }
          continue[0]
        }
        yield
      }
      yield
    }
    yield
  }
  return %6
}
