; Each gets zeros of its own, and what is loaded behind a store was loaded before it.
; pass: update-in-place
; count: empty = 0
; count: zeros = 2
; run: @f(3, 3) = [7.0, 7.0, 7.0], [4.0, 4.0, 4.0]
; run: @f(2, 0) = [0.0, 0.0], [0.0, 0.0]
func @f loop fast (%n: i64, %steps: i64) -> (array<f64, 1>, array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %x: f64 = const 1.0
  %z: array<f64, 1> = zeros %n
  %a: array<f64, 1>, %b: array<f64, 1> = for %zero, %steps, %one, %z, %z {
  (%t: i64, %p: array<f64, 1>, %q: array<f64, 1>):
    %r: array<f64, 1> = empty %n
    %s: array<f64, 1> = empty %n
    for %zero, %n, %one {
    (%j: i64):
      %u: f64 = load_raw %p, %j
      %v: f64 = load_raw %q, %j
      %w: f64 = add %u, %u
      %more: f64 = add %w, %x
      store_raw %r, %more, %j
      %again: f64 = load_raw %p, %j
      %sum: f64 = add %again, %x
      store_raw %s, %sum, %j
      continue[0]
    }
    continue[0] %r, %s
  }
  return %a, %b
}
