; pass: licm
; count: mul in loops = 0
; run: @f(2, 2, 3.0) = 36.0
func @f array (%0: i64, %1: i64, %2: f64) -> (f64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: f64 = for %3, %0, %4, %5 {
  (%7: i64, %8: f64):
    %9: f64 = for %3, %1, %4, %8 {
    (%10: i64, %11: f64):
      %12: f64 = mul %2, %2
      %13: f64 = add %11, %12
      continue[0] %13
    }
    continue[0] %9
  }
  return %6
}
; ---- after
func @f array (%0: i64, %1: i64, %2: f64) -> (f64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: f64 = mul %2, %2
  %7: f64 = for %3, %0, %4, %5 {
  (%8: i64, %9: f64):
    %10: f64 = for %3, %1, %4, %9 {
    (%11: i64, %12: f64):
      %13: f64 = add %12, %6
      continue[0] %13
    }
    continue[0] %10
  }
  return %7
}
