; The running sum goes through an `if` and an inner loop, and is seen by nothing else.
; pass: auto-parallel
; count: pfor = 1
; count: for = 1
; run: @f([1.0, -2.0, 3.0], [0.0]) = 8.0
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: f64 = const 0.0
  %6: i64 = const 2
  %7: f64 = for %2, %4, %3, %5 !r m0 {
  (%8: i64, %9: f64):
    %10: f64 = load_raw %0, %8 !r m0
    %11: bool = lt %5, %10
    %12: f64 = if %11 {
      %13: f64 = for %2, %6, %3, %9 {
      (%14: i64, %15: f64):
        %16: f64 = add %15, %10
        continue[0] %16
      }
      yield %13
    } else {
      yield %9
    }
    continue[0] %12
  }
  return %7
}
