; What is passed on is fresh, so that both versions may call the same function.
; pass: versions
; count: call = 2
; count: load = 1
export "f"("a": array<f64, 1>) -> f64 = @f

func @first array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  return %2
}

func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: array<f64, 1> in m1 = copy %0 !r m0
  %2: f64 = call[@first] %1 !r m1
  return %2
}
; ---- after
export "f"("a": array<f64, 1>) -> f64 = @f.fast if contiguous, @f.general

func @first array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  return %2
}

func @f.general array general (%0: array<f64, 1> in m0) -> (f64) {
  %1: array<f64, 1> in m1 = copy %0 !r m0
  %2: f64 = call[@first] %1 !r m1
  return %2
}

func @f.fast array fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: array<f64, 1> in m1 = copy %0 !r m0
  %2: f64 = call[@first] %1 !r m1
  return %2
}
