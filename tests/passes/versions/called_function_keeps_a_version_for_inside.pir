; pass: versions
; count: load = 3
; run: @g([3.0]) = 3.0
export "f"("a": array<f64, 1>) -> f64 = @f

func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  return %2
}

func @g array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = call[@f] %0 !r m0
  return %1
}
; ---- after
export "f"("a": array<f64, 1>) -> f64 = @f.fast if contiguous, @f.general

func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  return %2
}

func @g array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = call[@f] %0 !r m0
  return %1
}

func @f.fast array fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  return %2
}

func @f.general array general (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  return %2
}
