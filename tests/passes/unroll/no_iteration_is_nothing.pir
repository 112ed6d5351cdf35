; A range without indices leaves what goes into the loop.
; pass: unroll
; count: for = 0
; count: load_raw = 0
; run: @f([1.0]) = 0.0
func @f loop fast (%a: array<f64, 1>) -> (f64) {
  %from: i64 = const 3
  %one: i64 = const 1
  %to: i64 = const 2
  %start: f64 = const 0.0
  %sum: f64 = for %from, %to, %one, %start {
  (%i: i64, %p: f64):
    %x: f64 = load_raw %a, %i
    %q: f64 = add %p, %x
    continue[0] %q
  }
  return %sum
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 3
  %2: i64 = const 1
  %3: i64 = const 2
  %4: f64 = const 0.0
  return %4
}
