; Each place takes one column, and none twice; the last one stands in no loop.
; pass: forward
; count: empty = 1
; count: for = 1
; run: @f([1.0, 2.0, 4.0], 1) = [3.0, 6.0, 12.0], 4.0
; run: @f([], 0) = [], 0.0
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (array<f64, 1>, f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %none: f64 = const 0.0
  %n: i64 = dim[0] %a
  %t: array<f64, 2> = empty %n, %two
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %two, %one {
    (%j: i64):
      %x: f64 = load_raw %a, %i
      %c: i64 = add %j, %one
      %d: f64 = cast %c
      %y: f64 = mul %x, %d
      store_raw %t, %y, %i, %j
      continue[0]
    }
    continue[0]
  }
  %out: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%l: i64):
    %p: f64 = load_raw %t, %l, %zero
    %q: f64 = load_raw %t, %l, %one
    %r: f64 = add %p, %q
    store_raw %out, %r, %l
    continue[0]
  }
  %some: bool = lt %zero, %n
  %last: f64 = if %some {
    %s: f64 = load_raw %t, %k, %one
    yield %s
  } else {
    yield %none
  }
  return %out, %last
}
