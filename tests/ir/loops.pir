; Loops that carry arrays, and jumps out of them.
func @g array (%0: i64, %1: array<f64, 1> in m0, %2: array<f64, 1> in m0) -> (array<f64, 1>, i64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: array<f64, 1> in m0|m2, %6: i64 = for %3, %0, %4, %1, %3 !r m0|m1|m2 !w m1 {
  (%7: i64, %8: array<f64, 1> in m0|m2, %9: i64):
    %10: array<f64, 1> in m1 = zeros %0
    %11: f64 = load %8, %7 !r m0|m2
    store %10, %11, %3 !w m1
    %12: bool = lt %9, %7
    if %12 {
      break[0] %8, %9
    } else {
      yield
    }
    %13: array<f64, 1> in m2 = add %8, %10 !r m0|m1|m2
    continue[0] %13, %7
  }
  return %5, %6
}
