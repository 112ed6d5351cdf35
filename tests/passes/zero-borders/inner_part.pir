; Two rows and two columns are written, and what is inside.
; pass: zero-borders
; count: zeros = 0
; count: empty = 1
; run: @f(3, 4) = [[0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
; run: @f(2, 3) = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
; run: @f(1, 1) = [[0.0]]
func @f loop fast (%n: i64, %m: i64) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %x: f64 = const 1.0
  %rows: i64 = sub %n, %two
  %columns: i64 = sub %m, %two
  %t: array<f64, 2> = zeros %n, %m
  for %zero, %rows, %one {
  (%i: i64):
    for %zero, %columns, %one {
    (%j: i64):
      %k: i64 = add %i, %one
      %l: i64 = add %j, %one
      store_raw %t, %x, %k, %l
      continue[0]
    }
    continue[0]
  }
  return %t
}
