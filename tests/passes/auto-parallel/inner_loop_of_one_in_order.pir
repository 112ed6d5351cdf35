; The outer loop reads the row before; within a row iterations are independent. Short rows run where they stand.
; pass: auto-parallel
; count: pfor = 1
; count: for = 2
; count: if = 1
func @f loop fast (%0: array<f64, 2> in m0) -> () {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  %4: i64 = dim[1] %0
  for %2, %3, %2 !r m0 !w m0 {
  (%5: i64):
    %6: i64 = sub %5, %2
    for %1, %4, %2 !r m0 !w m0 {
    (%7: i64):
      %8: f64 = load_raw %0, %6, %7 !r m0
      store_raw %0, %8, %5, %7 !w m0
      continue[0]
    }
    continue[0]
  }
  return
}
