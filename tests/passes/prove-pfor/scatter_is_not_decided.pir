; Indices from memory may repeat.
; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
export "f"("h": written array<f64, 1>, "idx": array<i64, 1>) -> none = @f

func @f array (%0: array<f64, 1> in m0, %1: array<i64, 1> in m0) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  %5: i64 = dim[0] %1
  pfor %2, %5, %3 !r m0 !w m0 {
  (%6: i64):
    %7: i64 = load %1, %6 !r m0
    store %0, %4, %7 !w m0
    continue[0]
  }
  return
}
