; The fast version takes an array that is expected in columns with its axes reversed, so that it is row-major; the general one as it is.
; pass: versions
; count: transpose = 1
export "f"("a": column_major array<f64, 2>, "b": array<f64, 2>) -> f64 = @f

func @f array (%0: array<f64, 2> in m0, %1: array<f64, 2> in m0) -> (f64) {
  %2: i64 = const 0
  %3: i64 = dim[0] %0
  %4: f64 = load %0, %3, %2 !r m0
  %5: f64 = load %1, %3, %2 !r m0
  %6: f64 = add %4, %5
  return %6
}
; ---- after
export "f"("a": column_major array<f64, 2>, "b": array<f64, 2>) -> f64 = @f.fast if contiguous, @f.general

func @f.general array general (%0: array<f64, 2> in m0, %1: array<f64, 2> in m0) -> (f64) {
  %2: i64 = const 0
  %3: i64 = dim[0] %0
  %4: f64 = load %0, %3, %2 !r m0
  %5: f64 = load %1, %3, %2 !r m0
  %6: f64 = add %4, %5
  return %6
}

func @f.fast array fast (%0: array<f64, 2> in m0, %1: array<f64, 2> in m1) -> (f64) {
  %2: array<f64, 2> in m0 = transpose[1, 0] %0
  %3: i64 = const 0
  %4: i64 = dim[0] %2
  %5: f64 = load %2, %4, %3 !r m0
  %6: f64 = load %1, %4, %3 !r m1
  %7: f64 = add %5, %6
  return %7
}
