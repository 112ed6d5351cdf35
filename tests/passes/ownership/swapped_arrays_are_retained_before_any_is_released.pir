; a, b = b, a in a loop.
; pass: ownership
; count: own = 8
; run: @f(2, 3) = [0.0, 0.0], [0.0, 0.0]
func @f loop (%0: i64, %1: i64) -> (array<f64, 1>, array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 1> = zeros %0
  %5: array<f64, 1> = zeros %0
  %6: array<f64, 1>, %7: array<f64, 1> = for %2, %1, %3, %4, %5 {
  (%8: i64, %9: array<f64, 1>, %10: array<f64, 1>):
    continue[0] %10, %9
  }
  return %6, %7
}
; ---- after
func @f loop slots=6 (%0: i64, %1: i64) -> (array<f64, 1>, array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 1> in m0 = zeros %0
  own[slot0] %4 !w m0
  %5: array<f64, 1> in m1 = zeros %0
  own[slot1] %5 !w m1
  own[slot2, retain] %4 !w m0|m1
  own[slot3, retain] %5 !w m0|m1
  %6: array<f64, 1> in m0|m1, %7: array<f64, 1> in m0|m1 = for %2, %1, %3, %4, %5 !w m0|m1 {
  (%8: i64, %9: array<f64, 1> in m0|m1, %10: array<f64, 1> in m0|m1):
    own[slot4, retain] %10 !w m0|m1
    own[slot5, retain] %9 !w m0|m1
    own[slot2, retain] %10 !w m0|m1
    own[slot3, retain] %9 !w m0|m1
    disown[slot4] !w m0|m1
    disown[slot5] !w m0|m1
    continue[0] %10, %9
  }
  return %6, %7
}
