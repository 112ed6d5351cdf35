; Row k is read by all iterations and written by none.
; pass: prove-pfor
; count: pfor = 1
func @f array (%0: array<f64, 2> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: i64 = dim[1] %0
  %6: bool = ge %1, %2
  check[IndexError, "negative"] %6
  pfor %2, %4, %3 !r m0 !w m0 {
  (%7: i64):
    %8: bool = ne %7, %1
    if %8 !r m0 !w m0 {
      for %2, %5, %3 !r m0 !w m0 {
      (%9: i64):
        %10: f64 = load %0, %1, %9 !r m0
        store %0, %10, %7, %9 !w m0
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
