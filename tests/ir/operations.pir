; A sparse matrix is five values; what the library does with whole ones is marked.
module "operations" file "operations.pydd"
export "f"("A": csr_matrix<f64, i32>, "B": csr_array<i8, i64>) -> (csc_matrix<f64, i32>, csc_array<i8, i64>) = @f

func @nnz array operation "nnz" (%0: array<i32, 1> in m0, %1: i64) -> (i64) {
  %2: i32 = load %0, %1 !r m0
  %3: i64 = cast %2
  return %3
}

func @f array (%0: array<i32, 1> in m0, %1: array<i32, 1> in m0, %2: array<f64, 1> in m0, %3: i64, %4: i64, %5: array<i64, 1> in m0, %6: array<i64, 1> in m0, %7: array<i8, 1> in m0, %8: i64, %9: i64) -> (array<i32, 1>, array<i32, 1>, array<f64, 1>, i64, i64, array<i64, 1>, array<i64, 1>, array<i8, 1>, i64, i64) {
  return %0, %1, %2, %4, %3, %5, %6, %7, %9, %8
}
