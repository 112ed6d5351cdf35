; pass: prove-bounds
; count: check = 0
; count: select = 0
; run: @f([1.0, 2.0, 3.0, 4.0, 5.0]) = 15.0
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const 0.0
  %3: i64 = const 0
  %4: i64 = const 2
  %5: i64 = const 1
  %6: f64 = for %3, %1, %4, %2 !r m0 {
  (%7: i64, %8: f64):
    %9: i64 = add %7, %4
    %10: i64 = min %9, %1
    %11: f64 = for %7, %10, %5, %8 !r m0 {
    (%12: i64, %13: f64):
      %14: f64 = load_raw %0, %12 !r m0
      %15: f64 = add %13, %14
      continue[0] %15
    }
    continue[0] %11
  }
  return %6
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const 0.0
  %3: i64 = const 0
  %4: i64 = const 2
  %5: i64 = const 1
  %6: f64 = for %3, %1, %4, %2 !r m0 {
  (%7: i64, %8: f64):
    %9: i64 = add %7, %4
    %10: i64 = min %9, %1
    %11: f64 = for %7, %10, %5, %8 !r m0 {
    (%12: i64, %13: f64):
      %14: f64 = load_raw %0, %12 !r m0
      %15: f64 = add %13, %14
      continue[0] %15
    }
    continue[0] %11
  }
  return %6
}
