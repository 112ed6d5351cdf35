; What runs once is no loop, whatever it touches.
; pass: unroll
; count: for = 0
; run: @f([1.0, 2.0, 4.0]) = 4.0, 6
func @f loop fast (%a: array<f64, 1>) -> (f64, i64) {
  %from: i64 = const 2
  %one: i64 = const 1
  %to: i64 = const 3
  %four: i64 = const 4
  %start: f64 = const 0.0
  %sum: f64, %index: i64 = for %from, %to, %one, %start, %four {
  (%i: i64, %p: f64, %c: i64):
    %x: f64 = load_raw %a, %i
    %q: f64 = add %p, %x
    %d: i64 = add %c, %i
    continue[0] %q, %d
  }
  return %sum, %index
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64, i64) {
  %1: i64 = const 2
  %2: i64 = const 1
  %3: i64 = const 3
  %4: i64 = const 4
  %5: f64 = const 0.0
  %6: i64 = const 2
  %7: f64 = load_raw %0, %6 !r m0
  %8: f64 = add %5, %7
  %9: i64 = const 6
  return %8, %9
}
