; An operation of 31 operations, which a function calls twice, is one function; of 6, and of one call, it is copied.
; pass: inline-library
; count: call = 2
; run: @f(1) = 1116
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
  return %30
}

func @small array operation "small" (%0: i64) -> (i64) {
  %1: i64 = add %0, %0
  %2: i64 = add %1, %0
  %3: i64 = add %2, %0
  %4: i64 = add %3, %0
  %5: i64 = add %4, %0
  return %5
}

func @once array operation "once" (%0: i64) -> (i64) {
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
  return %30
}

func @f array (%0: i64) -> (i64) {
  %1: i64 = call[@large] %0
  %2: i64 = call[@large] %1
  %3: i64 = call[@small] %0
  %4: i64 = call[@small] %3
  %5: i64 = call[@once] %4
  return %5
}
; ---- after
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
  return %30
}

func @small array operation "small" (%0: i64) -> (i64) {
  %1: i64 = add %0, %0
  %2: i64 = add %1, %0
  %3: i64 = add %2, %0
  %4: i64 = add %3, %0
  %5: i64 = add %4, %0
  return %5
}

func @once array operation "once" (%0: i64) -> (i64) {
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
  return %30
}

func @f array (%0: i64) -> (i64) {
  %1: i64 = call[@large] %0
  %2: i64 = call[@large] %1
  %3: i64 = add %0, %0
  %4: i64 = add %3, %0
  %5: i64 = add %4, %0
  %6: i64 = add %5, %0
  %7: i64 = add %6, %0
  %8: i64 = add %7, %7
  %9: i64 = add %8, %7
  %10: i64 = add %9, %7
  %11: i64 = add %10, %7
  %12: i64 = add %11, %7
  %13: i64 = add %12, %12
  %14: i64 = add %13, %12
  %15: i64 = add %14, %12
  %16: i64 = add %15, %12
  %17: i64 = add %16, %12
  %18: i64 = add %17, %12
  %19: i64 = add %18, %12
  %20: i64 = add %19, %12
  %21: i64 = add %20, %12
  %22: i64 = add %21, %12
  %23: i64 = add %22, %12
  %24: i64 = add %23, %12
  %25: i64 = add %24, %12
  %26: i64 = add %25, %12
  %27: i64 = add %26, %12
  %28: i64 = add %27, %12
  %29: i64 = add %28, %12
  %30: i64 = add %29, %12
  %31: i64 = add %30, %12
  %32: i64 = add %31, %12
  %33: i64 = add %32, %12
  %34: i64 = add %33, %12
  %35: i64 = add %34, %12
  %36: i64 = add %35, %12
  %37: i64 = add %36, %12
  %38: i64 = add %37, %12
  %39: i64 = add %38, %12
  %40: i64 = add %39, %12
  %41: i64 = add %40, %12
  %42: i64 = add %41, %12
  return %42
}
