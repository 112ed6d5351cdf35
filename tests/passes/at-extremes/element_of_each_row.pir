; The elements at the places of the least of each row, `d[np.arange(n), at]`, are the least ones.
; pass: at-extremes, dce
; count: load = 3
; count: reduce = 2
; run: @f([[3.0, -1.0, 1.0], [nan, 2.0, -2.0], [-0.0, 0.0, 5.0]]) = [1, 0, 0], [1.0, nan, 0.0]
func @f array fast (%a: array<f64, 2>) -> (array<i64, 1>, array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %d: array<f64, 2> = abs %a
  %at: array<i64, 1> = reduce[argmin axes 1] %d
  %rows: array<i64, 1> = iota %zero, %one, %n
  %out: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%k: i64):
    %i: i64 = load %rows, %k
    %j: i64 = load %at, %k
    %x: f64 = load %d, %i, %j
    store %out, %x, %k
    continue[0]
  }
  return %at, %out
}
