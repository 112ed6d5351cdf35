; Kernels of matrices with 64-bit indices are general alone, and so is @only, which nothing else calls; not @both.
; pass: versions
export "f"("A": csr_matrix<f64, i32>) -> i64 = @f
export "f"("A": csr_matrix<f64, i64>) -> i64 = @f.2
func @f array (%0: array<i32, 1>, %1: array<i32, 1>, %2: array<f64, 1>, %3: i64, %4: i64) -> (i64) {
  %5: i64 = call[@both] %3
  return %5
}

func @f.2 array (%0: array<i64, 1>, %1: array<i64, 1>, %2: array<f64, 1>, %3: i64, %4: i64) -> (i64) {
  %5: i64 = call[@both] %3
  %6: i64 = call[@only] %5
  return %6
}

func @both array (%0: i64) -> (i64) {
  return %0
}

func @only array (%0: i64) -> (i64) {
  return %0
}
; ---- after
export "f"("A": csr_matrix<f64, i32>) -> i64 = @f
export "f"("A": csr_matrix<f64, i64>) -> i64 = @f.2

func @f array fast (%0: array<i32, 1> in m0, %1: array<i32, 1> in m1, %2: array<f64, 1> in m2, %3: i64, %4: i64) -> (i64) {
  %5: i64 = call[@both] %3
  return %5
}

func @f.2 array general (%0: array<i64, 1> in m0, %1: array<i64, 1> in m0, %2: array<f64, 1> in m0, %3: i64, %4: i64) -> (i64) {
  %5: i64 = call[@both] %3
  %6: i64 = call[@only] %5
  return %6
}

func @both array (%0: i64) -> (i64) {
  return %0
}

func @only array general (%0: i64) -> (i64) {
  return %0
}
