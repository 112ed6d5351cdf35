; For %1 = 2**62 iterations 0 and 4 write element 0, and those between write nothing.
; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @f array (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> () {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = dim[0] %0
  %6: f64 = const 1.0
  %7: bool = gt %1, %3
  if %7 !w m0 {
    pfor %3, %2, %4 !w m0 {
    (%8: i64):
      %9: i64 = mul %8, %1
      %10: bool = ge %9, %3
      %11: bool = lt %9, %5
      %12: bool = and %10, %11
      if %12 !w m0 {
        store %0, %6, %9 !w m0
        yield
      } else {
        yield
      }
      continue[0]
    }
    yield
  } else {
    yield
  }
  return
}
