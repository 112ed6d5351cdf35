; The same code, two answers: in the fast version the second load is the first one again.
; pass: versions, cse
; count: load = 3
export "f"("a": array<f64, 1>, "b": written array<f64, 1>) -> f64 = @f

func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (f64) {
  %2: i64 = const 0
  %3: f64 = const 5.0
  %4: f64 = load %0, %2 !r m0
  store %1, %3, %2 !w m0
  %5: f64 = load %0, %2 !r m0
  %6: f64 = add %4, %5
  return %6
}
; ---- after
export "f"("a": array<f64, 1>, "b": written array<f64, 1>) -> f64 = @f.fast if contiguous apart, @f.general

func @f.general array general (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (f64) {
  %2: i64 = const 0
  %3: f64 = const 5.0
  %4: f64 = load %0, %2 !r m0
  store %1, %3, %2 !w m0
  %5: f64 = load %0, %2 !r m0
  %6: f64 = add %4, %5
  return %6
}

func @f.fast array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (f64) {
  %2: i64 = const 0
  %3: f64 = const 5.0
  %4: f64 = load %0, %2 !r m0
  store %1, %3, %2 !w m1
  %5: f64 = add %4, %4
  return %5
}
