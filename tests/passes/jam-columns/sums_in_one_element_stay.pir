; All columns add to one element.
; pass: jam-columns
; count: for = 2
; run: @f([[1.0, 2.0, 4.0, 8.0, 16.0], [32.0, 64.0, 128.0, 256.0, 512.0]]) = [1023.0]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %c: array<f64, 1> = zeros %one
  for %zero, %m, %one {
  (%j: i64):
    for %zero, %n, %one {
    (%k: i64):
      %s: f64 = load_raw %c, %zero
      %x: f64 = load_raw %a, %k, %j
      %z: f64 = add %s, %x
      store_raw %c, %z, %zero
      continue[0]
    }
    continue[0]
  }
  return %c
}
