; Views and results of branches: the question of a loop is for the array that stands there, and holds for its views.
; pass: outline, device-loops, coherence
; count: host_access = 1
; run: @f([1.0, 2.0], [5.0, 6.0], true) = 12.0
; run: @f([1.0, 2.0], [5.0, 6.0], false) = 44.0
func @f loop fast device (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: bool) -> (f64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = dim[0] %0
  pfor[| sliced write [i], sliced write [i]] %3, %5, %4, %0, %1 !r m0|m1 !w m0|m1 {
  (%6: i64):
    %7: f64 = load_raw %0, %6 !r m0
    %8: f64 = add %7, %7
    store_raw %0, %8, %6 !w m0
    %9: f64 = load_raw %1, %6 !r m1
    %10: f64 = add %9, %9
    store_raw %1, %10, %6 !w m1
    continue[0]
  }
  %11: array<f64, 1> in m0|m1 = if %2 {
    yield %0
  } else {
    yield %1
  }
  %12: i64 = const 8
  %13: array<f64, 1> in m0|m1 = raw_view %11, %12, %4, %12
  %begin: f64 = const 0.0
  %two: i64 = const 2
  %sum: f64 = for %3, %two, %4, %begin {
  (%i: i64, %t: f64):
    %14: f64 = load_raw %11, %3 !r m0|m1
    %15: f64 = load_raw %13, %3 !r m0|m1
    %16: f64 = add %14, %15
    %17: f64 = add %t, %16
    continue[0] %17
  }
  return %sum
}

func @f.general loop general (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0, %2: bool) -> (f64) {
  %9: f64 = const 0.0
  return %9
}

export "f"("a": written array<f64, 1>, "b": written array<f64, 1>, "c": bool) -> f64 = @f if contiguous apart device, @f.general
