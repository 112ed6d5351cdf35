; Threads would cost more than three iterations.
; pass: auto-parallel
; count: pfor = 0
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: i64 = const 3
  for %2, %5, %3 !r m0 !w m1 {
  (%6: i64):
    %7: f64 = load_raw %0, %6 !r m0
    store_raw %1, %7, %6 !w m1
    continue[0]
  }
  return
}
