; pass: prove-pfor
; refuse: iterations of this `pfor` write the same elements of `a`
export "f"("a": written array<f64, 1>, "n": i64) -> none = @f

func @f array (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  pfor %2, %1, %3 !w m0 {
  (%4: i64):
    %5: f64 = cast %4
    store %0, %5, %2 !w m0
    continue[0]
  }
  return
}
