; A parallel loop is copied as it is.
; pass: short-axes
; count: for = 8
; count: pfor = 4
; run: @f([[1.0], [3.0]]) = [[0.0, 4.0], [4.0, 0.0]]
; run: @f([[1.0, 2.0], [3.0, 5.0]]) = [[0.0, 13.0], [13.0, 0.0]]
; run: @f([[1.0, 2.0, 4.0], [3.0, 5.0, 5.0]]) = [[0.0, 14.0], [14.0, 0.0]]
; run: @f([[1.0, 2.0, 4.0, 0.5], [3.0, 5.0, 5.0, 1.0]]) = [[0.0, 14.25], [14.25, 0.0]]
; run: @f([[1.0, 2.0, 4.0, 0.5, 1.0], [3.0, 5.0, 5.0, 1.0, 2.0]]) = [[0.0, 15.25], [15.25, 0.0]]
; run: @f([]) = []
func @f loop fast (%p: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %p
  %k: i64 = dim[1] %p
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %d: array<f64, 2> = empty %n, %n
  pfor %zero, %n, %one {
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
  return %d
}
