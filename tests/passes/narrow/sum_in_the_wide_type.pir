; A sum that is added up as float64 has values that float32 lacks.
; pass: narrow, dce
; count: cast = 2
; run: @f([0.5, 1.5]) = 2.0
func @f array (%0: array<f32, 1> in m0) -> (f32) {
  %1: f64 = const 0.0
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = for %3, %2, %4, %1 !r m0 {
  (%6: i64, %7: f64):
    %8: f32 = load %0, %6 !r m0
    %9: f64 = cast %8
    %10: f64 = add %7, %9
    continue[0] %10
  }
  %11: f32 = cast %5
  return %11
}
