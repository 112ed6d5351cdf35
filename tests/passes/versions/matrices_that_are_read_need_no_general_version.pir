; Parts of sparse matrices have no gaps: @sum only reads them, @set writes one, and @scale takes an array as well.
; pass: versions
export "sum"("A": csr_matrix<f64, i32>, "i": i64) -> f64 = @sum
export "set"("A": written csr_matrix<f64, i32>) -> none = @set
export "scale"("A": csr_matrix<f64, i32>, "x": array<f64, 1>) -> f64 = @scale
func @sum array (%0: array<i32, 1>, %1: array<i32, 1>, %2: array<f64, 1>, %3: i64, %4: i64, %5: i64) -> (f64) {
  %6: f64 = load %2, %5
  return %6
}

func @set array (%0: array<i32, 1>, %1: array<i32, 1>, %2: array<f64, 1>, %3: i64, %4: i64) -> () {
  %5: f64 = const 1.0
  store %2, %5, %3
  return
}

func @scale array (%0: array<i32, 1>, %1: array<i32, 1>, %2: array<f64, 1>, %3: i64, %4: i64, %5: array<f64, 1>) -> (f64) {
  %6: f64 = load %5, %3
  return %6
}
; ---- after
export "sum"("A": csr_matrix<f64, i32>, "i": i64) -> f64 = @sum
export "set"("A": written csr_matrix<f64, i32>) -> none = @set.fast if apart, @set.general
export "scale"("A": csr_matrix<f64, i32>, "x": array<f64, 1>) -> f64 = @scale.fast if contiguous, @scale.general

func @sum array fast (%0: array<i32, 1> in m0, %1: array<i32, 1> in m1, %2: array<f64, 1> in m2, %3: i64, %4: i64, %5: i64) -> (f64) {
  %6: f64 = load %2, %5 !r m2
  return %6
}

func @set.general array general (%0: array<i32, 1> in m0, %1: array<i32, 1> in m0, %2: array<f64, 1> in m0, %3: i64, %4: i64) -> () {
  %5: f64 = const 1.0
  store %2, %5, %3 !w m0
  return
}

func @scale.general array general (%0: array<i32, 1> in m0, %1: array<i32, 1> in m0, %2: array<f64, 1> in m0, %3: i64, %4: i64, %5: array<f64, 1> in m0) -> (f64) {
  %6: f64 = load %5, %3 !r m0
  return %6
}

func @set.fast array fast (%0: array<i32, 1> in m0, %1: array<i32, 1> in m1, %2: array<f64, 1> in m2, %3: i64, %4: i64) -> () {
  %5: f64 = const 1.0
  store %2, %5, %3 !w m2
  return
}

func @scale.fast array fast (%0: array<i32, 1> in m0, %1: array<i32, 1> in m1, %2: array<f64, 1> in m2, %3: i64, %4: i64, %5: array<f64, 1> in m3) -> (f64) {
  %6: f64 = load %5, %3 !r m3
  return %6
}
