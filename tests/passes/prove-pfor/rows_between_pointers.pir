; What lies between pointers is each iteration's own if these rise, which is tested before the loop; this one reads another row.
; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 1
; count: for = 3
func @own array fast (%0: array<f64, 1> in m0, %1: array<i32, 1> in m1, %2: i64) -> () {
  %3: i64 = const 0
  %4: i64 = const 1
  pfor %3, %2, %4 {
  (%5: i64):
    %6: i32 = load %1, %5 !r m1
    %7: i64 = cast %6
    %8: i64 = add %5, %4
    %9: i32 = load %1, %8 !r m1
    %10: i64 = cast %9
    for %7, %10, %4 {
    (%11: i64):
      %12: f64 = load %0, %11 !r m0
      %13: f64 = add %12, %12
      store %0, %13, %11 !w m0
      continue[0]
    }
    continue[0]
  }
  return
}
func @two_rows array fast (%0: array<f64, 1> in m0, %1: array<i64, 1> in m1, %2: i64) -> () {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = const 2
  %6: f64 = const 0.5
  pfor %3, %2, %4 {
  (%7: i64):
    %8: i64 = load %1, %7 !r m1
    %9: i64 = add %7, %5
    %10: i64 = load %1, %9 !r m1
    for %8, %10, %4 {
    (%11: i64):
      store %0, %6, %11 !w m0
      continue[0]
    }
    continue[0]
  }
  return
}
