; `m[i, j]` and `m[j, i]`: iteration i reads what iteration j writes.
; pass: prove-pfor
; refuse: iterations of this `pfor` read elements
func @f array (%0: array<f64, 2> in m0) -> () {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  pfor %1, %3, %2 !r m0 !w m0 {
  (%4: i64):
    for %1, %3, %2 !r m0 !w m0 {
    (%5: i64):
      %6: f64 = load %0, %5, %4 !r m0
      store %0, %6, %4, %5 !w m0
      continue[0]
    }
    continue[0]
  }
  return
}
