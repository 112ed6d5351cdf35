; pass: apart
; count: overlaps = 0
; count: if = 0
; run: @f([1.0], [2.0]) = 2
func @f array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (i64) {
  %2: bool = overlaps %0, %1
  %3: i64 = if %2 {
    %4: i64 = const 1
    yield %4
  } else {
    %5: i64 = const 2
    yield %5
  }
  return %3
}
