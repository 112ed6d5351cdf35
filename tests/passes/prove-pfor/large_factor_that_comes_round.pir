; %7 * 2**48 is 0 in iteration 65536 again, and iterations between write nothing.
; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @f array (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 16777216
  %5: f64 = const 1.0
  %6: i64 = const 65536
  pfor %2, %1, %3 !w m0 {
  (%7: i64):
    %8: i64 = mul %7, %4
    %9: i64 = mul %8, %4
    %10: i64 = mod %7, %6
    %11: bool = eq %10, %2
    if %11 !w m0 {
      store %0, %5, %9 !w m0
      yield
    } else {
      yield
    }
    continue[0]
  }
  return
}
