; Iteration 1 raises, if %1 is too large for the array.
; pass: prove-pfor
; count: pfor = 1
func @f array (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> () {
  %3: i64 = const 0
  %4: i64 = const 1
  %6: f64 = const 1.0
  pfor %3, %2, %4 !w m0 {
  (%8: i64):
    %9: i64 = mul %8, %1
    for %3, %1, %4 !w m0 {
    (%10: i64):
      %11: i64 = add %9, %10
      store %0, %6, %11 !w m0
      continue[0]
    }
    continue[0]
  }
  return
}
