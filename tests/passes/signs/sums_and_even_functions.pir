; pass: signs, dce
; count: neg = 0
; run: @f(3.0, 5.0) = -197919685.0
func @f array (%0: f64, %1: f64) -> (f64) {
  %2: f64 = neg %1
  %3: f64 = add %0, %2
  %4: f64 = neg %0
  %5: f64 = add %4, %1
  %6: f64 = neg %1
  %7: f64 = sub %0, %6
  %8: f64 = neg %0
  %9: f64 = abs %8
  %10: f64 = neg %0
  %11: f64 = neg %1
  %12: f64 = mul %10, %11
  %13: f64 = const 100.0
  %14: f64 = mul %3, %13
  %15: f64 = add %14, %5
  %16: f64 = mul %15, %13
  %17: f64 = add %16, %7
  %18: f64 = mul %17, %13
  %19: f64 = add %18, %9
  %20: f64 = mul %19, %13
  %21: f64 = add %20, %12
  return %21
}
