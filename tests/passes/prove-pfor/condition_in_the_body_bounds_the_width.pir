; Rows are as long as the other array's, and what is written of them is not longer.
; pass: prove-pfor
; count: pfor = 1
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 2> in m0, %2: i64, %3: i64) -> () {
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 1.0
  %7: i64 = dim[1] %1
  pfor %4, %2, %5 !w m0 {
  (%8: i64):
    %9: i64 = mul %8, %7
    %10: bool = le %3, %7
    if %10 !w m0 {
      for %4, %3, %5 !w m0 {
      (%11: i64):
        %12: i64 = add %9, %11
        store %0, %6, %12 !w m0
        continue[0]
      }
      yield
    } else {
      yield
    }
    continue[0]
  }
  return
}
