; What the loop reads is another one behind the store.
; pass: fuse-loops
; count: empty = 1
; run: @f([1.0, 2.0], 3) = [4.0, 8.0]
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (array<f64, 1>) {
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
  %nine: f64 = const 9.0
  store_raw %a, %nine, %zero
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
    yield
  }
  return %out
}
