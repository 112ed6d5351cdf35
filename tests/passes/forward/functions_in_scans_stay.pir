; A function has vectors in a loop of its own, and has none in one that stores what it has accumulated.
; pass: forward
; count: for = 2
; run: @f([0.0, 0.0]) = [1.0, 2.0]
func @f loop fast (%0: array<f64, 1>) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: array<f64, 1> = empty %1
  %3: i64 = const 0
  %4: i64 = const 1
  for %3, %1, %4 {
  (%5: i64):
    %6: f64 = load_raw %0, %5
    %7: f64 = exp %6
    store_raw %2, %7, %5
    continue[0]
  }
  %8: array<f64, 1> = empty %1
  %9: f64 = const -0.0
  %10: f64 = for %3, %1, %4, %9 {
  (%11: i64, %12: f64):
    %13: f64 = load_raw %2, %11
    %14: f64 = add %12, %13
    store_raw %8, %14, %11
    continue[0] %14
  }
  return %8
}
