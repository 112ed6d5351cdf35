; What whole arrays alone are done to is copied for each of a few calls, so that it joins what uses it.
; pass: inline-library
; count: call = 0
; run: @f([1.0, 2.0]) = [66.0, 132.0]
func @large array operation "large" (%0: array<f64, 1>) -> (array<f64, 1>) {
  %1: array<f64, 1> = add %0, %0
  %2: array<f64, 1> = add %1, %0
  %3: array<f64, 1> = add %2, %0
  %4: array<f64, 1> = add %3, %0
  %5: array<f64, 1> = add %4, %0
  %6: array<f64, 1> = add %5, %0
  %7: array<f64, 1> = add %6, %0
  %8: array<f64, 1> = add %7, %0
  %9: array<f64, 1> = add %8, %0
  %10: array<f64, 1> = add %9, %0
  %11: array<f64, 1> = add %10, %0
  %12: array<f64, 1> = add %11, %0
  %13: array<f64, 1> = add %12, %0
  %14: array<f64, 1> = add %13, %0
  %15: array<f64, 1> = add %14, %0
  %16: array<f64, 1> = add %15, %0
  %17: array<f64, 1> = add %16, %0
  %18: array<f64, 1> = add %17, %0
  %19: array<f64, 1> = add %18, %0
  %20: array<f64, 1> = add %19, %0
  %21: array<f64, 1> = add %20, %0
  %22: array<f64, 1> = add %21, %0
  %23: array<f64, 1> = add %22, %0
  %24: array<f64, 1> = add %23, %0
  %25: array<f64, 1> = add %24, %0
  %26: array<f64, 1> = add %25, %0
  %27: array<f64, 1> = add %26, %0
  %28: array<f64, 1> = add %27, %0
  %29: array<f64, 1> = add %28, %0
  %30: array<f64, 1> = add %29, %0
  %31: array<f64, 1> = add %30, %0
  %32: array<f64, 1> = add %31, %0
  return %32
}

func @f array (%0: array<f64, 1>) -> (array<f64, 1>) {
  %1: array<f64, 1> = call[@large] %0
  %2: array<f64, 1> = call[@large] %0
  %3: array<f64, 1> = add %1, %2
  return %3
}
