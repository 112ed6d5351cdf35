; pass: ownership
; count: own in loops = 1
; count: disown in loops = 1
; run: @f(3) = 0.0
func @f loop (%0: i64) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: array<f64, 1> = zeros %0
  %5: f64 = pfor[sum] %1, %0, %2, %3 {
  (%6: i64, %7: f64):
    %8: array<f64, 1> = zeros %0
    %9: f64 = load_raw %8, %6
    %10: f64 = load_raw %4, %6
    %11: f64 = add %9, %10
    %12: f64 = add %7, %11
    continue[0] %12
  }
  return %5
}
; ---- after
func @f loop slots=2 (%0: i64) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: array<f64, 1> in m0 = zeros %0
  own[slot0] %4 !w m0
  %5: f64 = pfor[sum] %1, %0, %2, %3 !r m0|m1 !w m1 {
  (%6: i64, %7: f64):
    %8: array<f64, 1> in m1 = zeros %0
    own[slot1] %8 !w m1
    %9: f64 = load_raw %8, %6 !r m1
    disown[slot1] !w m1
    %10: f64 = load_raw %4, %6 !r m0
    %11: f64 = add %9, %10
    %12: f64 = add %7, %11
    continue[0] %12
  }
  return %5
}
