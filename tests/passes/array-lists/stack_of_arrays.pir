; One array with an axis more.
; pass: array-lists
; count: list_new = 0
; count: empty = 1
; run: @f(3, 4, 1, 3) = 104
; run: @f(3, 4, -1, -1) = 204
; run: @f(3, 0, 2, 0) raises IndexError
; run: @f(3, 4, 3, 0) raises IndexError
; run: @f(3, -1, 0, 0) raises ValueError
; run: @f(0, -1, 0, 0) raises IndexError
func @f loop fast (%n: i64, %m: i64, %i: i64, %j: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %hundred: i64 = const 100
  %stack: list<array<i64, 1>> = list_new
  for %zero, %n, %one {
  (%k: i64):
    %row: array<i64, 1> = empty %m
    for %zero, %m, %one {
    (%l: i64):
      %base: i64 = mul %k, %hundred
      %x: i64 = add %base, %l
      store_raw %row, %x, %l
      continue[0]
    }
    list_append %stack, %row
    for %zero, %m, %one {
    (%p: i64):
      %old: i64 = load_raw %row, %p
      %new: i64 = add %old, %one
      store_raw %row, %new, %p
      continue[0]
    }
    continue[0]
  }
  %r: array<i64, 1> = list_get %stack, %i
  %width: i64 = dim[0] %r
  %length: i64 = list_len %stack
  %negative: bool = lt %j, %zero
  %from_end: i64 = add %j, %width
  %at: i64 = select %negative, %from_end, %j
  %there: bool = lt %at, %width
  check[IndexError, "no such element"] %there
  %v: i64 = load_raw %r, %at
  %some: bool = le %length, %n
  check[RuntimeError, "too many"] %some
  return %v
}
; ---- after
func @f loop fast (%0: i64, %1: i64, %2: i64, %3: i64) -> (i64) {
  %4: i64 = const 0
  %5: i64 = const 1
  %6: i64 = const 100
  %7: i64 = const 1
  %8: i64 = max %0, %4
  %9: i64 = sub %8, %4
  %10: i64 = const 0
  %11: bool = lt %10, %9
  %12: i64 = max %1, %10
  %13: i64 = select %11, %12, %10
  %14: array<i64, 2> in m0 = empty %9, %13
  %15: i64 = const 8
  %16: i64 = mul %15, %13
  %17: i64 = const 0
  for %4, %0, %5 !r m0 !w m0 {
  (%18: i64):
    %19: i64 = sub %18, %4
    %20: i64 = mul %19, %7
    %21: i64 = add %17, %20
    %22: i64 = const 0
    %23: bool = le %22, %1
    check[ValueError, "negative dimensions are not allowed"] %23
    %24: i64 = mul %21, %16
    %25: array<i64, 1> in m0 = raw_view %14, %24, %1, %15
    for %4, %1, %5 !w m0 {
    (%26: i64):
      %27: i64 = mul %18, %6
      %28: i64 = add %27, %26
      store_raw %14, %28, %21, %26 !w m0
      continue[0]
    }
    %29: i64 = const 1
    %30: i64 = add %21, %29
    for %4, %1, %5 !r m0 !w m0 {
    (%31: i64):
      %32: i64 = load_raw %14, %21, %31 !r m0
      %33: i64 = add %32, %5
      store_raw %14, %33, %21, %31 !w m0
      continue[0]
    }
    continue[0]
  }
  %34: i64 = add %17, %9
  %35: i64 = const 0
  %36: bool = lt %2, %35
  %37: i64 = add %2, %34
  %38: i64 = select %36, %37, %2
  %39: u64 = cast %38
  %40: u64 = cast %34
  %41: bool = lt %39, %40
  check[IndexError, "list index out of range"] %41
  %42: i64 = mul %38, %16
  %43: array<i64, 1> in m0 = raw_view %14, %42, %1, %15
  %44: bool = lt %3, %4
  %45: i64 = add %3, %1
  %46: i64 = select %44, %45, %3
  %47: bool = lt %46, %1
  check[IndexError, "no such element"] %47
  %48: i64 = load_raw %14, %38, %46 !r m0
  %49: bool = le %34, %0
  check[RuntimeError, "too many"] %49
  return %48
}
