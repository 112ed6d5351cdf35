; In each iteration two slices end one element further than the index says: the first one furthest.
; pass: expect-lengths
; count: raw_view in loops >= 1
; count: for = 11
; run: @f([1.0, 2.0, 4.0, 8.0], 3) = [27.0, 18.0, 12.0, 8.0]
; run: @f([1.0, 2.0, 4.0, 8.0], 0) = [1.0, 2.0, 4.0, 8.0]
; run: @f([1.0, 2.0, 4.0, 8.0], -7) = [1.0, 2.0, 4.0, 8.0]
; run: @f([1.0, 2.0, 4.0, 8.0], 4) raises ValueError
; run: @f([1.0, 2.0], 2) = [7.0, 4.0]
func @f loop fast (%0: array<f64, 1>, %1: i64) -> (array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: array<f64, 1> = empty %2
  %4: i64 = const 0
  %5: i64 = const 1
  for %4, %2, %5 {
  (%6: i64):
    %7: f64 = load_raw %0, %6
    store_raw %3, %7, %6
    continue[0]
  }
  %8: i64 = sub %1, %5
  %9: i64 = const -1
  %10: i64 = const 2
  for %8, %9, %9 {
  (%11: i64):
    %12: i64 = add %11, %10
    %13: i64 = const 8
    %14: i64 = min %5, %2
    %15: i64 = add %12, %2
    %16: bool = lt %12, %4
    %17: i64 = select %16, %15, %12
    %18: i64 = max %17, %4
    %19: i64 = min %18, %2
    %20: i64 = sub %19, %14
    %21: i64 = max %20, %4
    %22: i64 = mul %14, %13
    %23: array<f64, 1> = raw_view %3, %22, %21, %13
    %24: i64 = add %11, %5
    %25: i64 = add %24, %2
    %26: bool = lt %24, %4
    %27: i64 = select %26, %25, %24
    %28: i64 = max %27, %4
    %29: i64 = min %28, %2
    %30: array<f64, 1> = raw_view %3, %4, %29, %13
    %31: bool = eq %21, %29
    %32: bool = eq %21, %5
    %33: bool = eq %29, %5
    %34: bool = or %32, %33
    %35: bool = or %31, %34
    %36: i64 = select %32, %29, %21
    check[ValueError, "operands could not be broadcast together with shapes ({0},) ({1},) "] %35, %21, %29
    %37: array<f64, 1> = empty %36
    if %31 {
      for %4, %36, %5 {
      (%38: i64):
        %39: i64 = add %14, %38
        %40: f64 = load_raw %3, %39
        %41: f64 = load_raw %3, %38
        %42: f64 = add %40, %41
        store_raw %37, %42, %38
        continue[0]
      }
      yield
    } else {
      %43: i64 = select %32, %4, %13
      %44: array<f64, 1> = raw_view %23, %4, %36, %43
      %45: i64 = select %33, %4, %13
      %46: array<f64, 1> = raw_view %30, %4, %36, %45
      for %4, %36, %5 {
      (%47: i64):
        %48: f64 = load_raw %44, %47
        %49: f64 = load_raw %46, %47
        %50: f64 = add %48, %49
        store_raw %37, %50, %47
        continue[0]
      }
      yield
    }
    %51: bool = eq %36, %29
    %52: bool = eq %36, %5
    %53: bool = or %51, %52
    check[ValueError, "could not broadcast input array from shape ({0},) into shape ({1},)"] %53, %36, %29
    if %51 {
      for %4, %29, %5 {
      (%54: i64):
        %55: f64 = load_raw %37, %54
        store_raw %3, %55, %54
        continue[0]
      }
      yield
    } else {
      %56: i64 = select %52, %4, %13
      %57: array<f64, 1> = raw_view %37, %4, %29, %56
      for %4, %29, %5 {
      (%58: i64):
        %59: f64 = load_raw %57, %58
        store_raw %3, %59, %58
        continue[0]
      }
      yield
    }
    continue[0]
  }
  return %3
}
