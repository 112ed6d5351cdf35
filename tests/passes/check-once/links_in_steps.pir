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
  %11: i64 = const 0
  %12: i64 = const 1
  %13: i64 = dim[0] %1
  %14: u32 = cast %11
  %15: u32 = for %11, %13, %12, %14 !r m1 {
  (%16: i64, %17: u32):
    %18: i32 = load_raw %1, %16 !r m1
    %19: u32 = cast %18
    %20: u32 = max %17, %19
    continue[0] %20
  }
  %21: u64 = cast %15
  %22: u64 = cast %7
  %23: bool = lt %21, %22
  %24: bool = and %10, %23
  %25: bool = not %24
  %26: f64 = if %25 !r m0|m1|m2 cold {
    %27: f64 = for %4, %3, %5, %6 !r m0|m1|m2 {
    (%28: i64, %29: f64):
      %30: f64 = for %4, %9, %5, %29 !r m0|m1|m2 {
      (%31: i64, %32: f64):
        %33: i64 = add %31, %5
        %34: i64 = load_raw %0, %31 !r m0
        %35: i64 = load_raw %0, %33 !r m0
        %36: f64 = for %34, %35, %5, %32 !r m1|m2 {
        (%37: i64, %38: f64):
          %39: i32 = load_raw %1, %37 !r m1
          %40: i64 = cast %39
          %41: i64 = add %40, %7
          %42: bool = lt %40, %4
          %43: i64 = select %42, %41, %40
          %44: u64 = cast %43
          %45: u64 = cast %7
          %46: bool = lt %44, %45
          check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %46, %40, %7
          %47: f64 = load_raw %2, %43 !r m2
          %48: f64 = add %38, %47
          continue[0] %48
        }
        continue[0] %36
      }
      continue[0] %30
    }
    yield %27
  } else {
    %49: f64 = for %4, %3, %5, %6 !r m0|m1|m2 {
    (%50: i64, %51: f64):
      %52: f64 = for %4, %9, %5, %51 !r m0|m1|m2 {
      (%53: i64, %54: f64):
        %55: i64 = add %53, %5
        %56: i64 = load_raw %0, %53 !r m0
        %57: i64 = load_raw %0, %55 !r m0
        %58: f64 = for %56, %57, %5, %54 !r m1|m2 {
        (%59: i64, %60: f64):
          %61: i32 = load_raw %1, %59 !r m1
          %62: i64 = cast %61
          %63: i64 = add %62, %7
          %64: bool = lt %62, %4
          %65: i64 = select %64, %63, %62
          %66: u64 = cast %62
          %67: u64 = cast %7
          %68: bool = lt %66, %67
          %69: f64 = load_raw %2, %62 !r m2
          %70: f64 = add %60, %69
          continue[0] %70
        }
        continue[0] %58
      }
      continue[0] %52
    }
    yield %49
  }
  return %26
}
