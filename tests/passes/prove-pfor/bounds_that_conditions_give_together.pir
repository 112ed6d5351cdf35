; 0 <= k and k + w <= m make w <= m.
; pass: prove-pfor
; count: pfor = 1
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 2> in m0, %2: i64, %3: i64, %4: i64) -> () {
  %5: i64 = const 0
  %6: i64 = const 1
  %7: f64 = const 1.0
  %8: i64 = dim[1] %1
  %9: i64 = add %3, %4
  %10: bool = le %5, %3
  %11: bool = le %9, %8
  %12: bool = and %10, %11
  if %12 !w m0 {
    pfor %5, %2, %6 !w m0 {
    (%13: i64):
      %14: i64 = mul %13, %8
      %15: i64 = add %14, %3
      for %5, %4, %6 !w m0 {
      (%16: i64):
        %17: i64 = add %15, %16
        store %0, %7, %17 !w m0
        continue[0]
      }
      continue[0]
    }
    yield
  } else {
    yield
  }
  return
}
