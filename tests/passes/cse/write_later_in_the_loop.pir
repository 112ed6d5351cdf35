; The second iteration reads what the first one wrote.
; pass: cse
; count: load = 2
; run: @f([1.0], 2) = 1.0, 3.0
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (f64, f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: f64 = const 2.0
  %6: f64 = load %0, %2 !r m0
  %7: f64 = for %2, %1, %3, %4 !r m0 !w m0 {
  (%8: i64, %9: f64):
    %10: f64 = load %0, %2 !r m0
    %11: f64 = add %10, %5
    store %0, %11, %2 !w m0
    continue[0] %10
  }
  return %6, %7
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (f64, f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: f64 = const 2.0
  %6: f64 = load %0, %2 !r m0
  %7: f64 = for %2, %1, %3, %4 !r m0 !w m0 {
  (%8: i64, %9: f64):
    %10: f64 = load %0, %2 !r m0
    %11: f64 = add %10, %5
    store %0, %11, %2 !w m0
    continue[0] %10
  }
  return %6, %7
}
