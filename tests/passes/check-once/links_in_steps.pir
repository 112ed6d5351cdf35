; Links of a graph in each of several steps: a negative one counts from the end.
; pass: check-once
; count: for = 7
; run: @f([0, 2, 3], [1, 5, 0], [1.0, 2.0, 4.0], 2) raises IndexError
; run: @f([0, 2, 3], [1, 2, 0], [1.0, 2.0, 4.0], 2) = 14.0
; run: @f([0, 2, 3], [1, -1, 0], [1.0, 2.0, 4.0], 2) = 14.0
; run: @f([0, 2, 3], [1, 2, 0, 9], [1.0, 2.0, 4.0], 2) = 14.0
; run: @f([0, 0], [], [], 2) = 0.0
; run: @f([0, 1], [0], [1.0], 0) = 0.0
func @f loop fast (%pointers: array<i64, 1>, %held: array<i32, 1>, %x: array<f64, 1>, %steps: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %n: i64 = dim[0] %x
  %p: i64 = dim[0] %pointers
  %rows: i64 = sub %p, %one
  %all: f64 = for %zero, %steps, %one, %none {
  (%t: i64, %a: f64):
    %rowsum: f64 = for %zero, %rows, %one, %a {
    (%i: i64, %b: f64):
      %next: i64 = add %i, %one
      %from: i64 = load_raw %pointers, %i
      %to: i64 = load_raw %pointers, %next
      %entries: f64 = for %from, %to, %one, %b {
      (%k: i64, %c: f64):
        %h: i32 = load_raw %held, %k
        %raw: i64 = cast %h
        %end: i64 = add %raw, %n
        %isneg: bool = lt %raw, %zero
        %at: i64 = select %isneg, %end, %raw
        %u: u64 = cast %at
        %un: u64 = cast %n
        %fits: bool = lt %u, %un
        check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %fits, %raw, %n
        %e: f64 = load_raw %x, %at
        %d: f64 = add %c, %e
        continue[0] %d
      }
      continue[0] %entries
    }
    continue[0] %rowsum
  }
  return %all
}
; ---- after
func @f loop fast (%0: array<i64, 1> in m0, %1: array<i32, 1> in m1, %2: array<f64, 1> in m2, %3: i64) -> (f64) {
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 0.0
  %7: i64 = dim[0] %2
  %8: i64 = dim[0] %0
  %9: i64 = sub %8, %5
  %10: bool = const true
  %11: bool = const false
  %12: i64 = const 64
  %13: i64 = const 0
  %14: i64 = const 262144
  %15: i64 = sub %3, %4
  %16: i64 = max %15, %13
  %17: i64 = min %16, %14
  %18: i64 = mul %12, %17
  %19: i64 = const 0
  %20: i64 = const 262144
  %21: i64 = sub %9, %4
  %22: i64 = max %21, %19
  %23: i64 = min %22, %20
  %24: i64 = mul %18, %23
  %25: i64 = dim[0] %1
  %26: bool = le %25, %24
  %27: bool = or %11, %26
  %28: bool = and %10, %27
  %29: bool = if %28 !r m1 {
    %30: bool = const true
    %31: i64 = const 0
    %32: i64 = const 1
    %33: i64 = dim[0] %1
    %34: u32 = cast %31
    %35: u32 = for %31, %33, %32, %34 !r m1 {
    (%36: i64, %37: u32):
      %38: i32 = load_raw %1, %36 !r m1
      %39: u32 = cast %38
      %40: u32 = max %37, %39
      continue[0] %40
    }
    %41: u64 = cast %35
    %42: u64 = cast %7
    %43: bool = lt %41, %42
    %44: bool = and %30, %43
    yield %44
  } else {
    %45: bool = const false
    yield %45
  }
  %46: bool = not %29
  %47: f64 = if %46 !r m0|m1|m2 {
    %48: f64 = for %4, %3, %5, %6 !r m0|m1|m2 {
    (%49: i64, %50: f64):
      %51: f64 = for %4, %9, %5, %50 !r m0|m1|m2 {
      (%52: i64, %53: f64):
        %54: i64 = add %52, %5
        %55: i64 = load_raw %0, %52 !r m0
        %56: i64 = load_raw %0, %54 !r m0
        %57: f64 = for %55, %56, %5, %53 !r m1|m2 {
        (%58: i64, %59: f64):
          %60: i32 = load_raw %1, %58 !r m1
          %61: i64 = cast %60
          %62: i64 = add %61, %7
          %63: bool = lt %61, %4
          %64: i64 = select %63, %62, %61
          %65: u64 = cast %64
          %66: u64 = cast %7
          %67: bool = lt %65, %66
          check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %67, %61, %7
          %68: f64 = load_raw %2, %64 !r m2
          %69: f64 = add %59, %68
          continue[0] %69
        }
        continue[0] %57
      }
      continue[0] %51
    }
    yield %48
  } else {
    %70: f64 = for %4, %3, %5, %6 !r m0|m1|m2 {
    (%71: i64, %72: f64):
      %73: f64 = for %4, %9, %5, %72 !r m0|m1|m2 {
      (%74: i64, %75: f64):
        %76: i64 = add %74, %5
        %77: i64 = load_raw %0, %74 !r m0
        %78: i64 = load_raw %0, %76 !r m0
        %79: f64 = for %77, %78, %5, %75 !r m1|m2 {
        (%80: i64, %81: f64):
          %82: i32 = load_raw %1, %80 !r m1
          %83: i64 = cast %82
          %84: i64 = add %83, %7
          %85: bool = lt %83, %4
          %86: i64 = select %85, %84, %83
          %87: u64 = cast %83
          %88: u64 = cast %7
          %89: bool = lt %87, %88
          %90: f64 = load_raw %2, %83 !r m2
          %91: f64 = add %81, %90
          continue[0] %91
        }
        continue[0] %79
      }
      continue[0] %73
    }
    yield %70
  }
  return %47
}
