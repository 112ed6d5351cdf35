; Axes may change their places, and go backwards.
; pass: forward
; count: for = 2
; run: @f([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) = [[8.0, 2.0], [10.0, 4.0], [12.0, 6.0]]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %last: i64 = sub %n, %one
  %t: array<f64, 2> = empty %n, %m
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      %x: f64 = load_raw %a, %i, %j
      %z: f64 = add %x, %x
      store_raw %t, %z, %i, %j
      continue[0]
    }
    continue[0]
  }
  %r: array<f64, 2> = empty %m, %n
  for %zero, %m, %one {
  (%k: i64):
    for %zero, %n, %one {
    (%l: i64):
      %b: i64 = sub %last, %l
      %u: f64 = load_raw %t, %b, %k
      store_raw %r, %u, %k, %l
      continue[0]
    }
    continue[0]
  }
  return %r
}
