; For %1 = 2**62 iterations 0 and 4 write all of it, and those between nothing.
; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @f array (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> () {
  %3: i64 = const 0
  %4: i64 = const 1
  %6: f64 = const 1.0
  %7: bool = gt %1, %3
  if %7 !w m0 {
    pfor %3, %2, %4 !w m0 {
    (%8: i64):
      %9: i64 = mul %8, %1
      %10: i64 = add %9, %1
      %11: array<f64, 1> in m0 = view[start:stop] %0, %9, %10
      assign %11, %6 !w m0
      continue[0]
    }
    yield
  } else {
    yield
  }
  return
}
