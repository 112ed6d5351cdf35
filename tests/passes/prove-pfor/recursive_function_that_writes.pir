; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread
; count: pfor = 0
func @set array recursive (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 5.0
  %5: bool = gt %1, %2
  if %5 !w m0 {
    %6: i64 = sub %1, %3
    call[@set] %0, %6 !w m0
    yield
  } else {
    store %0, %4, %2 !w m0
    yield
  }
  return
}

func @f array (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  pfor %2, %1, %3 !w m0 {
  (%4: i64):
    call[@set] %0, %4 !w m0
    continue[0]
  }
  return
}
