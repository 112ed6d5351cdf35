; The recursive call goes to @f, which knows nothing of its arguments: a fast and a general version besides.
; pass: versions
; count: call = 3
export "f"("a": array<f64, 1>, "n": i64) -> f64 = @f
func @f array recursive (%0: array<f64, 1>, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: bool = gt %1, %2
  %4: f64 = if %3 {
    %5: i64 = const 1
    %6: i64 = sub %1, %5
    %7: f64 = call[@f] %0, %6
    yield %7
  } else {
    %8: f64 = load %0, %2
    yield %8
  }
  return %4
}
