; Each row is made of the one above; no column needs another one. One column to the right is stored.
; pass: jam-columns
; count: for = 6
; run: @f([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0], [64.0, 128.0, 256.0]]) = [[1.0, 2.0, 4.0], [8.0, 18.0, 36.0], [64.0, 146.0, 292.0]]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %last: i64 = sub %m, %one
  for %zero, %last, %one {
  (%j: i64):
    %right: i64 = add %j, %one
    for %one, %n, %one {
    (%k: i64):
      %above: i64 = sub %k, %one
      %x: f64 = load_raw %a, %above, %right
      %y: f64 = load_raw %a, %k, %right
      %z: f64 = add %x, %y
      store_raw %a, %z, %k, %right
      continue[0]
    }
    continue[0]
  }
  return %a
}
