; pass: prove-pfor
; refuse: iterations of this `pfor` read elements of `a` that others write
export "f"("a": written array<f64, 1>, "n": i64) -> none = @f

func @f array (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: i64 = const 1
  pfor %2, %1, %2 !r m0 !w m0 {
  (%3: i64):
    %4: i64 = sub %3, %2
    %5: f64 = load %0, %4 !r m0
    store %0, %5, %3 !w m0
    continue[0]
  }
  return
}
