; LLVM makes vectors of it.
; pass: unroll-scans
; count: for = 1
func @f loop fast (%0: array<f64, 1>) -> (f64) {
  %1: i64 = dim[0] %0
  %2: f64 = const 0.0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = for %3, %1, %4, %2 {
  (%6: i64, %7: f64):
    %8: f64 = load_raw %0, %6
    %9: f64 = add %7, %8
    continue[0] %9
  }
  return %5
}
