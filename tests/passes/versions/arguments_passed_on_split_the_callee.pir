; What the general version passes on may be strided: it calls a function of its own, also of what that calls.
; pass: versions
; count: call = 4
export "f"("a": array<f64, 1>) -> f64 = @f

func @first array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  return %2
}

func @last array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = call[@first] %0 !r m0
  return %1
}

func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = call[@last] %0 !r m0
  return %1
}
; ---- after
export "f"("a": array<f64, 1>) -> f64 = @f.fast if contiguous, @f.general

func @first array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  return %2
}

func @last array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = call[@first] %0 !r m0
  return %1
}

func @f.general array general (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = call[@last.strided] %0 !r m0
  return %1
}

func @f.fast array fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = call[@last] %0 !r m0
  return %1
}

func @first.strided array general (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  return %2
}

func @last.strided array general (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = call[@first.strided] %0 !r m0
  return %1
}
