; Rows of few coordinates are in the first way, if there are any.
; pass: short-axes
; count: for = 3
; run: @f([[1.0, 2.0, 0.0, 0.0, 0.0], [3.0, 5.0, 0.0, 0.0, 0.0]]) = [[0.0, 13.0], [13.0, 0.0]]
func @f loop fast (%p: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %p
  %k: i64 = dim[1] %p
  %zero: i64 = const 0
  %one: i64 = const 1
  %four: i64 = const 4
  %none: f64 = const 0.0
  %d: array<f64, 2> = empty %n, %n
  %some: bool = lt %zero, %n
  %few: bool = le %k, %four
  %both: bool = and %some, %few
  if %both {
    yield
  } else {
    for %zero, %n, %one {
    (%i: i64):
      for %zero, %n, %one {
      (%j: i64):
        %sum: f64 = for %zero, %k, %one, %none {
        (%c: i64, %s: f64):
          %x: f64 = load_raw %p, %i, %c
          %y: f64 = load_raw %p, %j, %c
          %z: f64 = sub %x, %y
          %q: f64 = mul %z, %z
          %t: f64 = add %s, %q
          continue[0] %t
        }
        store_raw %d, %sum, %i, %j
        continue[0]
      }
      continue[0]
    }
    yield
  }
  return %d
}
