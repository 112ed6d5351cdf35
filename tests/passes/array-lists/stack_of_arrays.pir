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
  %11: i64 = max %1, %10
  %12: array<i64, 2> in m0 = empty %9, %11
  %13: i64 = const 8
  %14: i64 = mul %13, %11
  %15: i64 = const 0
  for %4, %0, %5 !r m0 !w m0 {
  (%16: i64):
    %17: i64 = sub %16, %4
    %18: i64 = mul %17, %7
    %19: i64 = add %15, %18
    %20: bool = le %15, %1
    check[ValueError, "negative dimensions are not allowed"] %20
    %21: i64 = mul %19, %14
    %22: array<i64, 1> in m0 = raw_view %12, %21, %1, %13
    for %4, %1, %5 !w m0 {
    (%23: i64):
      %24: i64 = mul %16, %6
      %25: i64 = add %24, %23
      store_raw %12, %25, %19, %23 !w m0
      continue[0]
    }
    %26: i64 = const 1
    %27: i64 = add %19, %26
    for %4, %1, %5 !r m0 !w m0 {
    (%28: i64):
      %29: i64 = load_raw %12, %19, %28 !r m0
      %30: i64 = add %29, %5
      store_raw %12, %30, %19, %28 !w m0
      continue[0]
    }
    continue[0]
  }
  %31: i64 = add %15, %9
  %32: i64 = const 0
  %33: bool = lt %2, %32
  %34: i64 = add %2, %31
  %35: i64 = select %33, %34, %2
  %36: u64 = cast %35
  %37: u64 = cast %31
  %38: bool = lt %36, %37
  check[IndexError, "list index out of range"] %38
  %39: i64 = mul %35, %14
  %40: array<i64, 1> in m0 = raw_view %12, %39, %1, %13
  %41: bool = lt %3, %4
  %42: i64 = add %3, %1
  %43: i64 = select %41, %42, %3
  %44: bool = lt %43, %1
  check[IndexError, "no such element"] %44
  %45: i64 = load_raw %12, %35, %43 !r m0
  %46: bool = le %31, %0
  check[RuntimeError, "too many"] %46
  return %45
}
