; Three steps are written out, and the loop around them is made of vectors.
; pass: jam-columns
; count: for = 2
; run: @f([[1.0, 2.0], [4.0, 8.0], [16.0, 32.0]]) = [21.0, 42.0]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 1>) {
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %three: i64 = const 3
  %none: f64 = const 0.0
  %c: array<f64, 1> = empty %m
  for %zero, %m, %one {
  (%j: i64):
    %s: f64 = for %zero, %three, %one, %none {
    (%k: i64, %t: f64):
      %x: f64 = load_raw %a, %k, %j
      %z: f64 = add %t, %x
      continue[0] %z
    }
    store_raw %c, %s, %j
    continue[0]
  }
  return %c
}
