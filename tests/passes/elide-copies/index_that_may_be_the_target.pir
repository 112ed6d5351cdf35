; pass: elide-copies
; count: copy = 1
func @f array (%0: array<f64, 1> in m0, %1: array<i64, 1> in m0, %2: f64) -> () {
  %3: array<i64, 1> in m1 = copy %1 !r m0
  %4: i64 = dim[0] %3
  %5: i64 = const 0
  %6: i64 = const 1
  for %5, %4, %6 !r m1 !w m0 {
  (%7: i64):
    %8: i64 = load %3, %7 !r m1
    store %0, %2, %8 !w m0
    continue[0]
  }
  return
}
