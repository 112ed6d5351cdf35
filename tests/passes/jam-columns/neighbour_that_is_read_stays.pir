; A column needs what the one to its left has become.
; pass: jam-columns
; count: for = 2
; run: @f([[1.0, 2.0, 4.0, 8.0, 16.0], [32.0, 64.0, 128.0, 256.0, 512.0]]) = [[1.0, 3.0, 7.0, 15.0, 31.0], [32.0, 96.0, 224.0, 480.0, 992.0]]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  for %one, %m, %one {
  (%j: i64):
    %left: i64 = sub %j, %one
    for %zero, %n, %one {
    (%k: i64):
      %x: f64 = load_raw %a, %k, %left
      %y: f64 = load_raw %a, %k, %j
      %z: f64 = add %x, %y
      store_raw %a, %z, %k, %j
      continue[0]
    }
    continue[0]
  }
  return %a
}
