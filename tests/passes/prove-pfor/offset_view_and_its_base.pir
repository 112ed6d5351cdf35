; `v = a[1:]`: iteration i writes a[i + 1], which iteration i + 1 reads.
; pass: prove-pfor
; refuse: read elements of an array that others write
func @f array (%0: array<f64, 1> in m0) -> () {
  %1: i64 = const 1
  %2: i64 = const 0
  %3: array<f64, 1> in m0 = view[start:] %0, %1
  %4: i64 = dim[0] %3
  pfor %2, %4, %1 !r m0 !w m0 {
  (%5: i64):
    %6: f64 = load %0, %5 !r m0
    store %3, %6, %5 !w m0
    continue[0]
  }
  return
}
