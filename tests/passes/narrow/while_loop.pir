; What a loop carries and what it is left with are apart.
; pass: narrow, dce
; count: cast = 0
; run: @f(0.5) = 1.015625, 64
func @f array (%0: f32) -> (f32, i64) {
  %1: f64 = const 2.0
  %2: i64 = const 1
  %3: f64, %4: i64 = loop %1, %2 {
  (%5: f64, %6: i64):
    %7: i64 = const 60
    %8: bool = gt %6, %7
    if %8 {
      break[0] %5, %6
    } else {
      yield
    }
    %9: f32 = cast %5
    %10: f32 = mul %9, %0
    %11: f32 = add %10, %0
    %12: f64 = cast %11
    %13: i64 = add %6, %6
    continue[0] %12, %13
  }
  %14: f32 = cast %3
  return %14, %4
}
