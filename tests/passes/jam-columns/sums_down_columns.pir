; A group of columns at once, then groups of four, then the loop as it was.
; pass: jam-columns
; count: for = 6
; count: load_raw = 24
; run: @f([[1.0, 2.0], [4.0, 8.0]], [1.0, 2.0]) = [9.0, 18.0]
; run: @f([[1.0, 2.0, 3.0, 4.0, 5.0], [8.0, 16.0, 32.0, 64.0, 128.0]], [1.0, 2.0]) = [17.0, 34.0, 67.0, 132.0, 261.0]
; run: @f([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0]], [2.0]) = [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 22.0, 24.0, 26.0, 28.0, 30.0, 32.0, 34.0, 36.0, 38.0, 40.0, 42.0]
func @f loop fast (%a: array<f64, 2>, %w: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %c: array<f64, 1> = empty %m
  for %zero, %m, %one {
  (%j: i64):
    %s: f64 = for %zero, %n, %one, %none {
    (%k: i64, %t: f64):
      %v: f64 = load_raw %w, %k
      %x: f64 = load_raw %a, %k, %j
      %y: f64 = mul %v, %x
      %z: f64 = add %t, %y
      continue[0] %z
    }
    store_raw %c, %s, %j
    continue[0]
  }
  return %c
}
