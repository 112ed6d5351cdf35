; pass: prove-pfor
; count: pfor = 2
; run: @f([1.0], 3) = 4
func @f array (%0: list<f64> in m0, %1: i64) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  pfor %2, %1, %3 !w m0 {
  (%5: i64):
    %6: bool = lt %5, %3
    if %6 !w m0 {
      list_append %0, %4 !w m0
      yield
    } else {
      yield
    }
    pfor %3, %5, %3 !w m0 {
    (%7: i64):
      %8: f64 = cast %7
      list_append %0, %8 !w m0
      list_append %0, %4 !w m0
      continue[0]
    }
    continue[0]
  }
  %9: i64 = list_len %0 !r m0
  return %9
}
