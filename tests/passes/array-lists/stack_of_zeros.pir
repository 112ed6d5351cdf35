; Two axes more, of arrays that begin with zeros, looked at while the list grows.
; pass: array-lists
; count: list_new = 0
; count: zeros = 1
; run: @f(4, 2, 3) = 6.0
; run: @f(1, 2, 3) = 0.0
; run: @f(0, 2, 3) raises IndexError
func @f loop fast (%n: i64, %m: i64, %w: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %minus: i64 = const -1
  %size: i64 = const 8
  %stack: list<array<f64, 2>> = list_new
  for %zero, %n, %one {
  (%k: i64):
    %some: bool = lt %zero, %k
    %before: f64 = if %some {
      %last: array<f64, 2> = list_get %stack, %minus
      %seen: f64 = load_raw %last, %one, %one
      yield %seen
    } else {
      %none: f64 = const 0.0
      yield %none
    }
    %row: array<f64, 2> = zeros %m, %w
    %bytes: i64 = mul %w, %size
    %part: array<f64, 1> = raw_view %row, %bytes, %w, %size
    %add: f64 = cast %k
    %sum: f64 = add %before, %add
    store_raw %part, %sum, %one
    list_append %stack, %row
    continue[0]
  }
  %r: array<f64, 2> = list_get %stack, %minus
  %v: f64 = load_raw %r, %one, %one
  return %v
}
; ---- after
func @f loop fast (%0: i64, %1: i64, %2: i64) -> (f64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = const -1
  %6: i64 = const 8
  %7: i64 = const 1
  %8: i64 = max %0, %3
  %9: i64 = sub %8, %3
  %10: i64 = const 0
  %11: bool = lt %10, %9
  %12: i64 = max %1, %10
  %13: i64 = select %11, %12, %10
  %14: i64 = max %2, %10
  %15: i64 = select %11, %14, %10
  %16: array<f64, 3> in m0 = zeros %9, %13, %15
  %17: i64 = const 8
  %18: i64 = mul %17, %15
  %19: i64 = mul %18, %13
  %20: i64 = const 0
  for %3, %0, %4 !r m0 !w m0 {
  (%21: i64):
    %22: i64 = sub %21, %3
    %23: i64 = mul %22, %7
    %24: i64 = add %20, %23
    %25: bool = lt %3, %21
    %26: f64 = if %25 !r m0 {
      %27: i64 = const 0
      %28: bool = lt %5, %27
      %29: i64 = add %5, %24
      %30: i64 = select %28, %29, %5
      %31: u64 = cast %30
      %32: u64 = cast %24
      %33: bool = lt %31, %32
      check[IndexError, "list index out of range"] %33
      %34: i64 = mul %30, %19
      %35: array<f64, 2> in m0 = raw_view %16, %34, %1, %2, %18, %17
      %36: f64 = load_raw %16, %30, %4, %4 !r m0
      yield %36
    } else {
      %37: f64 = const 0.0
      yield %37
    }
    %38: i64 = const 0
    %39: bool = le %38, %1
    check[ValueError, "negative dimensions are not allowed"] %39
    %40: bool = le %38, %2
    check[ValueError, "negative dimensions are not allowed"] %40
    %41: i64 = mul %24, %19
    %42: array<f64, 2> in m0 = raw_view %16, %41, %1, %2, %18, %17
    %43: i64 = mul %2, %6
    %44: array<f64, 1> in m0 = raw_view %42, %43, %2, %6
    %45: f64 = cast %21
    %46: f64 = add %26, %45
    store_raw %44, %46, %4 !w m0
    %47: i64 = const 1
    %48: i64 = add %24, %47
    continue[0]
  }
  %49: i64 = add %20, %9
  %50: i64 = const 0
  %51: bool = lt %5, %50
  %52: i64 = add %5, %49
  %53: i64 = select %51, %52, %5
  %54: u64 = cast %53
  %55: u64 = cast %49
  %56: bool = lt %54, %55
  check[IndexError, "list index out of range"] %56
  %57: i64 = mul %53, %19
  %58: array<f64, 2> in m0 = raw_view %16, %57, %1, %2, %18, %17
  %59: f64 = load_raw %16, %53, %4, %4 !r m0
  return %59
}
