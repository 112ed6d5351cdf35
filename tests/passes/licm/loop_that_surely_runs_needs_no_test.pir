; pass: licm
; count: load in loops = 0
; count: if = 0
; run: @f([3.0]) = 12.0
; run: @f([]) raises IndexError
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 4
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: f64 = for %1, %2, %3, %4 !r m0 {
  (%6: i64, %7: f64):
    %8: f64 = load %0, %1 !r m0
    %9: f64 = add %7, %8
    continue[0] %9
  }
  return %5
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 4
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: f64 = load %0, %1 !r m0
  %6: f64 = for %1, %2, %3, %4 {
  (%7: i64, %8: f64):
    %9: f64 = add %8, %5
    continue[0] %9
  }
  return %6
}
