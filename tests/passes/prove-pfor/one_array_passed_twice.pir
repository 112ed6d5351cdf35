; Alone, the loop of `shift` is fine: its parameters are different arrays. Here they are one.
; pass: prove-pfor
; refuse: iterations of this `pfor` read elements of `a` that others write
export "f"("a": written array<f64, 1>) -> none = @f

func @shift array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> () {
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  pfor %2, %3, %2 !r m0 !w m0 {
  (%4: i64):
    %5: i64 = sub %4, %2
    %6: f64 = load %1, %5 !r m0
    store %0, %6, %4 !w m0
    continue[0]
  }
  return
}

func @f array (%0: array<f64, 1> in m0) -> () {
  call[@shift] %0, %0 !r m0 !w m0
  return
}
