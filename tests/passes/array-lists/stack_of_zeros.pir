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
  %11: i64 = max %1, %10
  %12: i64 = max %2, %10
  %13: array<f64, 3> in m0 = zeros %9, %11, %12
  %14: i64 = const 8
  %15: i64 = mul %14, %12
  %16: i64 = mul %15, %11
  %17: i64 = const 0
  for %3, %0, %4 !r m0 !w m0 {
  (%18: i64):
    %19: i64 = sub %18, %3
    %20: i64 = mul %19, %7
    %21: i64 = add %17, %20
    %22: bool = lt %3, %18
    %23: f64 = if %22 !r m0 {
      %24: i64 = const 0
      %25: bool = lt %5, %24
      %26: i64 = add %5, %21
      %27: i64 = select %25, %26, %5
      %28: u64 = cast %27
      %29: u64 = cast %21
      %30: bool = lt %28, %29
      check[IndexError, "list index out of range"] %30
      %31: i64 = mul %27, %16
      %32: array<f64, 2> in m0 = raw_view %13, %31, %1, %2, %15, %14
      %33: f64 = load_raw %13, %27, %4, %4 !r m0
      yield %33
    } else {
      %34: f64 = const 0.0
      yield %34
    }
    %35: bool = le %17, %1
    check[ValueError, "negative dimensions are not allowed"] %35
    %36: bool = le %17, %2
    check[ValueError, "negative dimensions are not allowed"] %36
    %37: i64 = mul %21, %16
    %38: array<f64, 2> in m0 = raw_view %13, %37, %1, %2, %15, %14
    %39: i64 = mul %2, %6
    %40: array<f64, 1> in m0 = raw_view %38, %39, %2, %6
    %41: f64 = cast %18
    %42: f64 = add %23, %41
    store_raw %40, %42, %4 !w m0
    %43: i64 = const 1
    %44: i64 = add %21, %43
    continue[0]
  }
  %45: i64 = add %17, %9
  %46: i64 = const 0
  %47: bool = lt %5, %46
  %48: i64 = add %5, %45
  %49: i64 = select %47, %48, %5
  %50: u64 = cast %49
  %51: u64 = cast %45
  %52: bool = lt %50, %51
  check[IndexError, "list index out of range"] %52
  %53: i64 = mul %49, %16
  %54: array<f64, 2> in m0 = raw_view %13, %53, %1, %2, %15, %14
  %55: f64 = load_raw %13, %49, %4, %4 !r m0
  return %55
}
