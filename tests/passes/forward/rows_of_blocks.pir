; Two rows at a time, and the last one: each element is needed once, from three places.
; pass: forward
; count: sqrt = 3
; count: for = 5
; run: @f([[1.0, 4.0], [9.0, 16.0], [25.0, 36.0]], [0.0, 0.0]) = [9.0, 12.0]
func @f loop fast (%a: array<f64, 2>, %given: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %t: array<f64, 2> = empty %n, %m
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      %x: f64 = load_raw %a, %i, %j
      %r: f64 = sqrt %x
      store_raw %t, %r, %i, %j
      continue[0]
    }
    continue[0]
  }
  %y: array<f64, 1> = empty %m
  %none: f64 = const 0.0
  for %zero, %m, %one {
  (%c: i64):
    store_raw %y, %none, %c
    continue[0]
  }
  %half: i64 = floordiv %n, %two
  %whole: i64 = mul %half, %two
  for %zero, %whole, %two {
  (%k: i64):
    %k1: i64 = add %k, %one
    for %zero, %m, %one {
    (%l: i64):
      %p: f64 = load_raw %t, %k, %l
      %q: f64 = load_raw %t, %k1, %l
      %s: f64 = add %p, %q
      %o: f64 = load_raw %y, %l
      %u: f64 = add %o, %s
      store_raw %y, %u, %l
      continue[0]
    }
    continue[0]
  }
  for %whole, %n, %one {
  (%g: i64):
    for %zero, %m, %one {
    (%h: i64):
      %v: f64 = load_raw %t, %g, %h
      %w: f64 = load_raw %y, %h
      %z: f64 = add %w, %v
      store_raw %y, %z, %h
      continue[0]
    }
    continue[0]
  }
  return %y
}
