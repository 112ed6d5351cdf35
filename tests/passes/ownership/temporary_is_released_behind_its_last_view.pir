; pass: ownership
; count: own = 1
; count: disown = 1
; run: @f(2) = 0.0
func @f loop (%0: i64) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 8
  %3: array<f64, 1> = zeros %0
  %4: array<f64, 1> = raw_view %3, %1, %0, %2
  %5: f64 = load_raw %4, %1
  %6: f64 = add %5, %5
  return %6
}
; ---- after
func @f loop slots=1 (%0: i64) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 8
  %3: array<f64, 1> in m0 = zeros %0
  own[slot0] %3 !w m0
  %4: array<f64, 1> in m0 = raw_view %3, %1, %0, %2
  %5: f64 = load_raw %4, %1 !r m0
  disown[slot0] !w m0
  %6: f64 = add %5, %5
  return %6
}
