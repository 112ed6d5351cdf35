; Columns that are gone down again and again are copied (`pack-columns`).
; pass: jam-columns
; count: for = 3
; run: @f([[1.0, 2.0]], [[1.0, 2.0], [3.0, 4.0]], [[0.0, 0.0]]) = [[7.0, 10.0]]
func @f loop fast (%a: array<f64, 2> in m0, %b: array<f64, 2> in m1, %out: array<f64, 2> in m2) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %n: i64 = dim[0] %a
  %k: i64 = dim[1] %a
  %m: i64 = dim[1] %b
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      %sum: f64 = for %zero, %k, %one, %none {
      (%q: i64, %s: f64):
        %x: f64 = load_raw %a, %i, %q
        %y: f64 = load_raw %b, %q, %j
        %z: f64 = mul %x, %y
        %t: f64 = add %s, %z
        continue[0] %t
      }
      store_raw %out, %sum, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %out
}
