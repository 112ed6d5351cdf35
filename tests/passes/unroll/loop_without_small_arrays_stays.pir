; A short loop over an argument is left to LLVM.
; pass: unroll
; count: for = 1
; run: @f([1.0, 2.0, 4.0]) = 7.0
func @f loop fast (%a: array<f64, 1>) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %three: i64 = const 3
  %start: f64 = const 0.0
  %sum: f64 = for %zero, %three, %one, %start {
  (%i: i64, %p: f64):
    %x: f64 = load_raw %a, %i
    %q: f64 = add %p, %x
    continue[0] %q
  }
  return %sum
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 3
  %4: f64 = const 0.0
  %5: f64 = for %1, %3, %2, %4 !r m0 {
  (%6: i64, %7: f64):
    %8: f64 = load_raw %0, %6 !r m0
    %9: f64 = add %7, %8
    continue[0] %9
  }
  return %5
}
