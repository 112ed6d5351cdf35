; A nest that carries a sum gives it, whichever copy runs.
; pass: short-axes
; count: for = 12
; run: @f([[1.0], [2.0]]) = 6.0
; run: @f([[1.0, 2.0]]) = 3.0
; run: @f([[1.0, 2.0, 4.0]]) = 7.0
; run: @f([[1.0, 2.0, 4.0, 8.0]]) = 15.0
; run: @f([[1.0, 2.0, 4.0, 8.0, 16.0]]) = 31.0
; run: @f([]) = 0.0
func @f loop fast (%p: array<f64, 2>) -> (f64) {
  %n: i64 = dim[0] %p
  %k: i64 = dim[1] %p
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %all: f64 = for %zero, %n, %one, %none {
  (%i: i64, %a: f64):
    %part: f64 = for %zero, %n, %one, %a {
    (%j: i64, %b: f64):
      %sum: f64 = for %zero, %k, %one, %b {
      (%c: i64, %s: f64):
        %x: f64 = load_raw %p, %j, %c
        %t: f64 = add %s, %x
        continue[0] %t
      }
      continue[0] %sum
    }
    continue[0] %part
  }
  return %all
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: i64 = const 3
  %7: bool = eq %2, %6
  %8: f64 = if %7 !r m0 {
    %9: f64 = for %3, %1, %4, %5 !r m0 {
    (%10: i64, %11: f64):
      %12: f64 = for %3, %1, %4, %11 !r m0 {
      (%13: i64, %14: f64):
        %15: f64 = for %3, %6, %4, %14 !r m0 {
        (%16: i64, %17: f64):
          %18: f64 = load_raw %0, %13, %16 !r m0
          %19: f64 = add %17, %18
          continue[0] %19
        }
        continue[0] %15
      }
      continue[0] %12
    }
    yield %9
  } else {
    %20: i64 = const 2
    %21: bool = eq %2, %20
    %22: f64 = if %21 !r m0 {
      %23: f64 = for %3, %1, %4, %5 !r m0 {
      (%24: i64, %25: f64):
        %26: f64 = for %3, %1, %4, %25 !r m0 {
        (%27: i64, %28: f64):
          %29: f64 = for %3, %20, %4, %28 !r m0 {
          (%30: i64, %31: f64):
            %32: f64 = load_raw %0, %27, %30 !r m0
            %33: f64 = add %31, %32
            continue[0] %33
          }
          continue[0] %29
        }
        continue[0] %26
      }
      yield %23
    } else {
      %34: i64 = const 4
      %35: bool = eq %2, %34
      %36: f64 = if %35 !r m0 {
        %37: f64 = for %3, %1, %4, %5 !r m0 {
        (%38: i64, %39: f64):
          %40: f64 = for %3, %1, %4, %39 !r m0 {
          (%41: i64, %42: f64):
            %43: f64 = for %3, %34, %4, %42 !r m0 {
            (%44: i64, %45: f64):
              %46: f64 = load_raw %0, %41, %44 !r m0
              %47: f64 = add %45, %46
              continue[0] %47
            }
            continue[0] %43
          }
          continue[0] %40
        }
        yield %37
      } else {
        %48: f64 = for %3, %1, %4, %5 !r m0 {
        (%49: i64, %50: f64):
          %51: f64 = for %3, %1, %4, %50 !r m0 {
          (%52: i64, %53: f64):
            %54: f64 = for %3, %2, %4, %53 !r m0 {
            (%55: i64, %56: f64):
              %57: f64 = load_raw %0, %52, %55 !r m0
              %58: f64 = add %56, %57
              continue[0] %58
            }
            continue[0] %54
          }
          continue[0] %51
        }
        yield %48
      }
      yield %36
    }
    yield %22
  }
  return %8
}
