; A sum of float32 that starts from Python's 0.0 is carried as float32.
; pass: narrow, dce
; count: cast = 1
; run: @f([0.5, 1.5]) = 2.0
; run: @f([]) = 0.0
func @f array (%0: array<f32, 1> in m0) -> (f64) {
  %1: f64 = const 0.0
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = for %3, %2, %4, %1 !r m0 {
  (%6: i64, %7: f64):
    %8: f32 = load %0, %6 !r m0
    %9: f32 = cast %7
    %10: f32 = add %9, %8
    %11: f64 = cast %10
    continue[0] %11
  }
  return %5
}
