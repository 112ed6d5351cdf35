; Each element is loaded and stored once for four rows.
; pass: unroll-and-jam
; count: for = 4
; count: load_raw = 7
; count: store_raw = 2
; run: @f([[1.0, 2.0], [4.0, 8.0], [16.0, 32.0]]) = [21.0, 42.0]
; run: @f([[1.0], [2.0], [4.0], [8.0], [16.0], [32.0], [64.0], [128.0], [256.0]]) = [511.0]
; run: @f([[1.0], [2.0], [4.0], [8.0]]) = [15.0]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %c: array<f64, 1> = zeros %m
  for %zero, %n, %one {
  (%k: i64):
    for %zero, %m, %one {
    (%j: i64):
      %y: f64 = load_raw %c, %j
      %x: f64 = load_raw %a, %k, %j
      %z: f64 = add %y, %x
      store_raw %c, %z, %j
      continue[0]
    }
    continue[0]
  }
  return %c
}
