; A step reads what the one before it has made of another element.
; pass: unroll-and-jam
; count: for = 2
; run: @f([[1.0, 2.0], [4.0, 8.0]]) = [6.0, 11.0]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %c: array<f64, 1> = zeros %m
  for %zero, %n, %one {
  (%k: i64):
    %first: f64 = load_raw %c, %zero
    for %zero, %m, %one {
    (%j: i64):
      %y: f64 = load_raw %c, %j
      %x: f64 = load_raw %a, %k, %j
      %s: f64 = add %y, %x
      %z: f64 = add %s, %first
      store_raw %c, %z, %j
      continue[0]
    }
    continue[0]
  }
  return %c
}
