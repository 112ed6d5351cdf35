; Of a loop over a slice that makes no array LLVM knows how often it runs.
; pass: unroll
; count: for = 1
; count: sub = 2
; run: @f([1.0, 2.0, 4.0], 1) = 7.0
func @f loop fast (%a: array<f64, 1>, %i: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %none: f64 = const 0.0
  %start: i64 = sub %i, %one
  %stop: i64 = add %two, %i
  %length: i64 = sub %stop, %start
  %sum: f64 = for %zero, %length, %one, %none {
  (%j: i64, %p: f64):
    %k: i64 = add %start, %j
    %x: f64 = load_raw %a, %k
    %q: f64 = add %p, %x
    continue[0] %q
  }
  return %sum
}
