; Four axes become one.
; pass: coalesce
; count: for = 1
; run: @f([[[[1.0, 2.0]], [[4.0, 8.0]]], [[[3.0, 5.0]], [[6.0, 7.0]]]]) = [[[[2.0, 4.0]], [[8.0, 16.0]]], [[[6.0, 10.0]], [[12.0, 14.0]]]]
func @f loop fast (%a: array<f64, 4>) -> (array<f64, 4>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %k: i64 = dim[2] %a
  %q: i64 = dim[3] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %b: array<f64, 4> = zeros %n, %m, %k, %q
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      for %zero, %k, %one {
      (%l: i64):
        for %zero, %q, %one {
        (%p: i64):
          %x: f64 = load_raw %a, %i, %j, %l, %p
          %y: f64 = add %x, %x
          store_raw %b, %y, %i, %j, %l, %p
          continue[0]
        }
        continue[0]
      }
      continue[0]
    }
    continue[0]
  }
  return %b
}
; ---- after
func @f loop fast (%0: array<f64, 4> in m0) -> (array<f64, 4>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = dim[2] %0
  %4: i64 = dim[3] %0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: array<f64, 4> in m1 = zeros %1, %2, %3, %4
  %8: i64 = mul %3, %4
  %9: i64 = const 0
  %10: i64 = const 8
  %11: i64 = dim[0] %0
  %12: i64 = dim[1] %0
  %13: i64 = dim[2] %0
  %14: i64 = mul %13, %4
  %15: i64 = mul %10, %14
  %16: i64 = mul %15, %12
  %17: array<f64, 3> in m0 = raw_view %0, %9, %11, %12, %14, %16, %15, %10
  %18: i64 = const 0
  %19: i64 = const 8
  %20: i64 = dim[0] %7
  %21: i64 = dim[1] %7
  %22: i64 = dim[2] %7
  %23: i64 = mul %22, %4
  %24: i64 = mul %19, %23
  %25: i64 = mul %24, %21
  %26: array<f64, 3> in m1 = raw_view %7, %18, %20, %21, %23, %25, %24, %19
  %27: i64 = mul %2, %8
  %28: i64 = const 0
  %29: i64 = const 8
  %30: i64 = dim[0] %17
  %31: i64 = dim[1] %17
  %32: i64 = mul %31, %8
  %33: i64 = mul %29, %32
  %34: array<f64, 2> in m0 = raw_view %17, %28, %30, %32, %33, %29
  %35: i64 = const 0
  %36: i64 = const 8
  %37: i64 = dim[0] %26
  %38: i64 = dim[1] %26
  %39: i64 = mul %38, %8
  %40: i64 = mul %36, %39
  %41: array<f64, 2> in m1 = raw_view %26, %35, %37, %39, %40, %36
  %42: i64 = mul %1, %27
  %43: i64 = const 0
  %44: i64 = const 8
  %45: i64 = dim[0] %34
  %46: i64 = mul %45, %27
  %47: array<f64, 1> in m0 = raw_view %34, %43, %46, %44
  %48: i64 = const 0
  %49: i64 = const 8
  %50: i64 = dim[0] %41
  %51: i64 = mul %50, %27
  %52: array<f64, 1> in m1 = raw_view %41, %48, %51, %49
  for %5, %42, %6 !r m0 !w m1 {
  (%53: i64):
    %54: f64 = load_raw %47, %53 !r m0
    %55: f64 = add %54, %54
    store_raw %52, %55, %53 !w m1
    continue[0]
  }
  return %7
}
