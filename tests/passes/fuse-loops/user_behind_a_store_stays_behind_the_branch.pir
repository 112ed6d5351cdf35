; The temporary has another element behind the branch.
; pass: fuse-loops
; count: empty = 2
; count: for = 4
; run: @f([1.0, 2.0], 3, 5.0) = [4.0, 8.0], [25.0, 16.0]
; run: @f([1.0, 2.0], 1, 5.0) = [4.0, 0.0], [25.0, 16.0]
func @f loop fast (%a: array<f64, 1>, %k: i64, %h: f64) -> (array<f64, 1>, array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %n: i64 = dim[0] %a
  %t: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = add %x, %x
    store_raw %t, %y, %i
    continue[0]
  }
  %out: array<f64, 1> = zeros %n
  %all: bool = gt %k, %two
  if %all {
    for %zero, %n, %one {
    (%j: i64):
      %u: f64 = load_raw %t, %j
      %v: f64 = add %u, %u
      store_raw %out, %v, %j
      continue[0]
    }
    yield
  } else {
    for %zero, %one, %one {
    (%l: i64):
      %p: f64 = load_raw %t, %l
      %q: f64 = add %p, %p
      store_raw %out, %q, %l
      continue[0]
    }
    yield
  }
  store_raw %t, %h, %zero
  %more: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%m: i64):
    %r: f64 = load_raw %t, %m
    %s: f64 = mul %r, %r
    store_raw %more, %s, %m
    continue[0]
  }
  return %out, %more
}
