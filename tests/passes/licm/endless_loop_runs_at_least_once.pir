; pass: licm
; count: load in loops = 0
; count: if = 1
; run: @f([2.0], 3.0) = 4.0
; run: @f([], 3.0) raises IndexError
func @f array (%0: array<f64, 1> in m0, %1: f64) -> (f64) {
  %2: f64 = const 0.0
  %3: i64 = const 0
  %4: f64 = loop %2 !r m0 {
  (%5: f64):
    %6: f64 = load %0, %3 !r m0
    %7: f64 = add %5, %6
    %8: bool = gt %7, %1
    if %8 {
      break[0] %7
    } else {
      yield
    }
    continue[0] %7
  }
  return %4
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: f64) -> (f64) {
  %2: f64 = const 0.0
  %3: i64 = const 0
  %4: f64 = load %0, %3 !r m0
  %5: f64 = loop %2 {
  (%6: f64):
    %7: f64 = add %6, %4
    %8: bool = gt %7, %1
    if %8 {
      break[0] %7
    } else {
      yield
    }
    continue[0] %7
  }
  return %5
}
