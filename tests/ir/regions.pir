; Tables of parallel loops, and the functions that their bodies become.
func @every_class array (%0: array<f64, 2> in m0, %1: array<f64, 2> in m0, %2: array<i64, 1> in m0, %3: list<f64> in m1, %4: i64, %5: f64) -> (f64) {
  %6: i64 = const 0
  %7: i64 = const 1
  %8: f64 = pfor[sum | sliced write [i, :], sliced read [i - 1 ..= i + 2*v4 - n1.0, 0], reduced max, appended] %6, %4, %7, %5, %0, %1, %2, %3, %4 !r m0 !w m0|m1 {
  (%9: i64, %10: f64):
    %11: f64 = load %1, %9, %6 !r m0
    store %0, %11, %9, %6 !w m0
    store %2, %9, %6 !w m0
    list_append %3, %11 !w m1
    %12: f64 = add %10, %11
    continue[0] %12
  }
  pfor[| sliced read [v1[i] .. v1[i + n1.0 - 1], :], invariant] %6, %4, %7, %1, %2 {
  (%13: i64):
    continue[0]
  }
  pfor[| sliced read [-i*v1 + 3 ..= 7, :]] %6, %4, %7, %1, %4 {
  (%14: i64):
    continue[0]
  }
  pfor[|] %6, %4, %7 {
  (%15: i64):
    continue[0]
  }
  return %8
}

func @body loop region[sum, min, argmin | m0 sliced write [i], m1 invariant, m0 sliced read [i + v3], m3 invariant] (%0: i64, %1: i64, %2: i64, %3: i64, %4: array<f64, 1> in m0, %5: array<f64, 1> in m1, %6: array<f64, 1> in m0, %7: i64, %8: f64, %9: f64, %10: i64) -> (f64, f64, i64) {
  return %8, %9, %10
}

func @launches loop (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0, %2: i64, %3: bool, %4: f64) -> (f64) {
  %5: f64, %6: f64, %7: i64 = launch[@body] %2, %2, %2, %2, %3, %0, %1, %0, %2, %4, %4, %2
  return %5
}
