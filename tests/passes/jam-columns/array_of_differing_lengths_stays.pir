; Columns make arrays of lengths of their own.
; pass: jam-columns
; count: for = 3
; run: @f([[1.0, 2.0, 4.0, 8.0, 16.0], [3.0, 6.0, 4.0, 0.0, 2.0]]) = [4.0, 8.0, 8.0, 8.0, 18.0]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %out: array<f64, 1> = empty %m
  for %zero, %m, %one {
  (%j: i64):
    %length: i64 = add %n, %j
    %own: array<f64, 1> = empty %length
    for %zero, %n, %one {
    (%i: i64):
      %x: f64 = load_raw %a, %i, %j
      store_raw %own, %x, %i
      continue[0]
    }
    %sum: f64 = for %zero, %n, %one, %none {
    (%k: i64, %s: f64):
      %y: f64 = load_raw %own, %k
      %t: f64 = add %s, %y
      continue[0] %t
    }
    store_raw %out, %sum, %j
    continue[0]
  }
  return %out
}
