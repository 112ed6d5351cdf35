; The column comes from a loop that counts in its own way; the row is enough.
; pass: prove-pfor
; run: @f([[0.0, 0.0], [0.0, 0.0]]) = [[1.0, 0.0], [1.0, 0.0]]
func @f array (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 2
  %4: f64 = const 1.0
  %5: i64 = dim[0] %0
  pfor %1, %5, %2 !w m0 {
  (%6: i64):
    loop %1 !w m0 {
    (%7: i64):
      %8: bool = ge %7, %3
      if %8 {
        break[0]
      } else {
        yield
      }
      store %0, %4, %6, %7 !w m0
      %9: i64 = add %7, %3
      continue[0] %9
    }
    continue[0]
  }
  return %0
}
