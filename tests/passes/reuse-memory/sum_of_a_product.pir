; The product is looked at once, element by element: the sum takes its place.
; pass: reuse-memory
; count: empty = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]], [1.0, 10.0]) = [[10.0, 28.0], [37.0, 82.0]]
func @f loop fast (%a: array<f64, 2>, %b: array<f64, 1>) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %t: array<f64, 2> = empty %n, %n
  matmul %a, %a, %t
  %r: array<f64, 2> = empty %n, %n
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %n, %one {
    (%j: i64):
      %x: f64 = load_raw %t, %i, %j
      %y: f64 = load_raw %b, %j
      %z: f64 = add %x, %y
      store_raw %r, %z, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %r
}
