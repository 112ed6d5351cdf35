; The first iteration does nothing; what is carried goes through all pieces.
; pass: peel
; count: for = 1
; run: @f([]) = 0.0
; run: @f([3.0]) = 0.0
; run: @f([3.0, 2.0]) = 6.0
; run: @f([3.0, 2.0, 5.0, 7.0]) = 51.0
func @f loop fast (%0: array<f64, 1>) -> (f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const 0.0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = for %3, %1, %4, %2 {
  (%6: i64, %7: f64):
    %8: bool = eq %6, %3
    if %8 {
      continue[0] %7
    } else {
      yield
    }
    %9: f64 = load_raw %0, %6
    %10: i64 = sub %6, %4
    %11: f64 = load_raw %0, %10
    %12: f64 = mul %9, %11
    %13: f64 = add %7, %12
    continue[0] %13
  }
  return %5
}
