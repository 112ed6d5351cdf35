; The greatest of float32 is one; a sum of them is left alone.
; pass: narrow, dce
; count: cast = 3
; run: @f([0.5, 1.5]) = 1.5, 2.0
func @f array (%0: array<f32, 1> in m0) -> (f64, f64) {
  %1: f64 = const -1.0
  %2: f64 = const 0.0
  %3: i64 = dim[0] %0
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64, %7: f64 = pfor[max, sum] %4, %3, %5, %1, %2 !r m0 {
  (%8: i64, %9: f64, %10: f64):
    %11: f32 = load %0, %8 !r m0
    %12: f32 = cast %9
    %13: bool = gt %11, %12
    %14: f64 = cast %11
    %15: f64 = if %13 {
      yield %14
    } else {
      yield %9
    }
    %16: f32 = cast %10
    %17: f32 = add %16, %11
    %18: f64 = cast %17
    continue[0] %15, %18
  }
  return %6, %7
}
