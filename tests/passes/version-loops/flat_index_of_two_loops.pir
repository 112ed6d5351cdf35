; The greatest index is a product; factors too great for it run the loop that checks.
; pass: version-loops
; count: for = 4
; count: check in loops = 1
; run: @f([1.0, 2.0, 4.0, 8.0], 2, 2) = 15.0
; run: @f([1.0, 2.0, 4.0, 8.0], 2, 3) raises IndexError
; run: @f([1.0, 2.0, 4.0, 8.0], -1, 4) = 0.0
; run: @f([1.0, 2.0, 4.0, 8.0], 4611686018427387904, 4) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> (f64) {
  %3: i64 = dim[0] %0
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: f64 = for %5, %1, %6, %4 !r m0 {
  (%8: i64, %9: f64):
    %10: i64 = mul %8, %2
    %11: f64 = for %5, %2, %6, %9 !r m0 {
    (%12: i64, %13: f64):
      %14: i64 = add %10, %12
      %15: i64 = add %14, %3
      %16: bool = lt %14, %5
      %17: i64 = select %16, %15, %14
      %18: u64 = cast %17
      %19: u64 = cast %3
      %20: bool = lt %18, %19
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %20, %14, %3
      %21: f64 = load_raw %0, %17 !r m0
      %22: f64 = add %13, %21
      continue[0] %22
    }
    continue[0] %11
  }
  return %7
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> (f64) {
  %3: i64 = dim[0] %0
  %4: f64 = const 0.0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: i64 = const 536870912
  %8: i64 = add %1, %7
  %9: u64 = cast %8
  %10: i64 = const 1073741824
  %11: u64 = cast %10
  %12: bool = lt %9, %11
  %13: i64 = const 536870912
  %14: i64 = add %2, %13
  %15: u64 = cast %14
  %16: i64 = const 1073741824
  %17: u64 = cast %16
  %18: bool = lt %15, %17
  %19: i64 = mul %1, %2
  %20: bool = le %19, %3
  %21: bool = and %12, %18
  %22: bool = and %21, %20
  %23: f64 = if %22 !r m0 {
    %24: f64 = for %5, %1, %6, %4 !r m0 {
    (%25: i64, %26: f64):
      %27: i64 = mul %25, %2
      %28: f64 = for %5, %2, %6, %26 !r m0 {
      (%29: i64, %30: f64):
        %31: i64 = add %27, %29
        %32: i64 = add %31, %3
        %33: bool = lt %31, %5
        %34: i64 = select %33, %32, %31
        %35: u64 = cast %31
        %36: u64 = cast %3
        %37: bool = lt %35, %36
        %38: f64 = load_raw %0, %31 !r m0
        %39: f64 = add %30, %38
        continue[0] %39
      }
      continue[0] %28
    }
    yield %24
  } else {
    %40: f64 = for %5, %1, %6, %4 !r m0 {
    (%41: i64, %42: f64):
      %43: i64 = mul %41, %2
      %44: f64 = for %5, %2, %6, %42 !r m0 {
      (%45: i64, %46: f64):
        %47: i64 = add %43, %45
        %48: i64 = add %47, %3
        %49: bool = lt %47, %5
        %50: i64 = select %49, %48, %47
        %51: u64 = cast %50
        %52: u64 = cast %3
        %53: bool = lt %51, %52
        check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %53, %47, %3
        %54: f64 = load_raw %0, %50 !r m0
        %55: f64 = add %46, %54
        continue[0] %55
      }
      continue[0] %44
    }
    yield %40
  }
  return %23
}
