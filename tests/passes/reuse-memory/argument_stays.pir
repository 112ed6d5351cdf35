; It is the caller's.
; pass: reuse-memory
; count: empty = 1
; run: @f([1.0, 2.0]) = [2.0, 3.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %more: f64 = const 1.0
  %n: i64 = dim[0] %a
  %r: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%j: i64):
    %p: f64 = load_raw %a, %j
    %u: f64 = add %p, %more
    store_raw %r, %u, %j
    continue[0]
  }
  return %r
}
