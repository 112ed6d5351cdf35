; One element is loaded in each step of a loop, and would be computed as often.
; pass: forward
; count: empty = 2
; count: for = 3
; run: @f([1.0, 2.0, 4.0], 2) = [5.0, 6.0, 8.0]
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %n: i64 = dim[0] %a
  %t: array<f64, 2> = empty %n, %two
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %two, %one {
    (%j: i64):
      %x: f64 = load_raw %a, %i
      %e: f64 = exp %x
      %y: f64 = log %e
      store_raw %t, %y, %i, %j
      continue[0]
    }
    continue[0]
  }
  %out: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%l: i64):
    %p: f64 = load_raw %t, %k, %one
    %q: f64 = load_raw %a, %l
    %r: f64 = add %p, %q
    store_raw %out, %r, %l
    continue[0]
  }
  return %out
}
