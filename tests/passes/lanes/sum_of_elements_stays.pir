; A sum of elements is made of vectors by itself.
; pass: lanes
; count: for = 2
; run: @f([1.0, 2.0], [3.0, 4.0]) = [7.0, 14.0]
func @f loop fast (%x: array<f64, 1>, %c: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %n: i64 = dim[0] %x
  %m: i64 = dim[0] %c
  %out: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %a: f64 = load_raw %x, %i
    %sum: f64 = for %zero, %m, %one, %start {
    (%j: i64, %s: f64):
      %b: f64 = load_raw %c, %j
      %d: f64 = mul %a, %b
      %t: f64 = add %s, %d
      continue[0] %t
    }
    store_raw %out, %sum, %i
    continue[0]
  }
  return %out
}
