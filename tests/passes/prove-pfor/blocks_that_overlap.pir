; Each block has 3 elements, the next one starts after 2.
; pass: prove-pfor
; refuse: iterations of this `pfor` write the same elements
func @f array (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 3
  %5: i64 = const 2
  %6: f64 = const 1.0
  pfor %2, %1, %3 !w m0 {
  (%7: i64):
    for %2, %4, %3 !w m0 {
    (%8: i64):
      %9: i64 = mul %7, %5
      %10: i64 = add %9, %8
      store %0, %6, %10 !w m0
      continue[0]
    }
    continue[0]
  }
  return
}
