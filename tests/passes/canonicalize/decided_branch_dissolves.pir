; pass: canonicalize
; count: if = 0
; count: store = 1
; run: @f([1.0]) = 7
func @f array (%0: array<f64, 1> in m0) -> (i64) {
  %1: bool = const true
  %2: f64 = const 2.0
  %3: i64 = const 0
  %4: i64 = const 7
  %5: f64 = const 3.0
  %6: i64 = const 1
  %7: i64 = const 8
  %8: i64 = if %1 !w m0 {
    store %0, %2, %3 !w m0
    yield %4
  } else {
    store %0, %5, %6 !w m0
    yield %7
  }
  return %8
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (i64) {
  %1: bool = const true
  %2: f64 = const 2.0
  %3: i64 = const 0
  %4: i64 = const 7
  %5: f64 = const 3.0
  %6: i64 = const 1
  %7: i64 = const 8
  store %0, %2, %3 !w m0
  return %4
}
