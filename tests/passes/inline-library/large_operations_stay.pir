; An operation of 61 operations is one function for all its callers; one of 6 is copied.
; pass: inline-library
; count: call = 2
; run: @f(1) = 128
func @large array operation "large" (%0: i64) -> (i64) {
  %1: i64 = add %0, %0
  %2: i64 = add %1, %0
  %3: i64 = add %2, %0
  %4: i64 = add %3, %0
  %5: i64 = add %4, %0
  %6: i64 = add %5, %0
  %7: i64 = add %6, %0
  %8: i64 = add %7, %0
  %9: i64 = add %8, %0
  %10: i64 = add %9, %0
  %11: i64 = add %10, %0
  %12: i64 = add %11, %0
  %13: i64 = add %12, %0
  %14: i64 = add %13, %0
  %15: i64 = add %14, %0
  %16: i64 = add %15, %0
  %17: i64 = add %16, %0
  %18: i64 = add %17, %0
  %19: i64 = add %18, %0
  %20: i64 = add %19, %0
  %21: i64 = add %20, %0
  %22: i64 = add %21, %0
  %23: i64 = add %22, %0
  %24: i64 = add %23, %0
  %25: i64 = add %24, %0
  %26: i64 = add %25, %0
  %27: i64 = add %26, %0
  %28: i64 = add %27, %0
  %29: i64 = add %28, %0
  %30: i64 = add %29, %0
  %31: i64 = add %30, %0
  %32: i64 = add %31, %0
  %33: i64 = add %32, %0
  %34: i64 = add %33, %0
  %35: i64 = add %34, %0
  %36: i64 = add %35, %0
  %37: i64 = add %36, %0
  %38: i64 = add %37, %0
  %39: i64 = add %38, %0
  %40: i64 = add %39, %0
  %41: i64 = add %40, %0
  %42: i64 = add %41, %0
  %43: i64 = add %42, %0
  %44: i64 = add %43, %0
  %45: i64 = add %44, %0
  %46: i64 = add %45, %0
  %47: i64 = add %46, %0
  %48: i64 = add %47, %0
  %49: i64 = add %48, %0
  %50: i64 = add %49, %0
  %51: i64 = add %50, %0
  %52: i64 = add %51, %0
  %53: i64 = add %52, %0
  %54: i64 = add %53, %0
  %55: i64 = add %54, %0
  %56: i64 = add %55, %0
  %57: i64 = add %56, %0
  %58: i64 = add %57, %0
  %59: i64 = add %58, %0
  %60: i64 = add %59, %0
  return %60
}

func @small array operation "small" (%0: i64) -> (i64) {
  %1: i64 = add %0, %0
  %2: i64 = add %1, %0
  %3: i64 = add %2, %0
  %4: i64 = add %3, %0
  %5: i64 = add %4, %0
  return %5
}

func @f array (%0: i64) -> (i64) {
  %1: i64 = call[@large] %0 at 2:5 in "f"
  %2: i64 = call[@large] %0 at 3:5 in "f"
  %3: i64 = call[@small] %0 at 4:5 in "f"
  %4: i64 = add %1, %2 at 5:5 in "f"
  %5: i64 = add %4, %3 at 5:5 in "f"
  return %5 at 5:1 in "f"
}
