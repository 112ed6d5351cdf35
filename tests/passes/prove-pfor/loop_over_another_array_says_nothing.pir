; That %3 is not negative is known where %1 is written, but not where %0 is: for -1, iterations 0 and n - 1 meet.
; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 2> in m0, %2: i64, %3: i64) -> () {
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 1.0
  %7: i64 = add %2, %3
  pfor %4, %2, %5 !w m0 {
  (%8: i64):
    store %0, %6, %8 !w m0
    %9: i64 = add %7, %8
    store %0, %6, %9 !w m0
    for %4, %3, %5 !w m0 {
    (%10: i64):
      store %1, %6, %8, %10 !w m0
      continue[0]
    }
    continue[0]
  }
  return
}
