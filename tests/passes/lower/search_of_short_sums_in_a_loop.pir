; Each iteration searches a row of sums. Where these are short, a copy of the loop looks at them one by one, so that iterations go side by side.
; pass: lower
; count: reduce = 0
; run: @f([[0.0, 1.0], [5.0, 5.0], [nan, 0.0]], [[4.0, 4.0], [0.0, 0.0], [0.0, 0.0]]) = [1, 0, 0]
func @f array fast (%a: array<f64, 2> in m0, %b: array<f64, 2> in m1) -> (array<i64, 1>) {
  %m: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %out: array<i64, 1> = empty %m
  for %zero, %m, %one {
  (%i: i64):
    %p: array<f64, 1> = view[at] %a, %i
    %s: array<f64, 1> = map[reduce sum axes 1] %b, %p {
    (%x: f64, %y: f64):
      %z: f64 = sub %x, %y
      %w: f64 = mul %z, %z
      yield %w
    }
    %d: array<f64, 1> = sqrt %s
    %k: i64 = reduce[argmin] %d
    store %out, %k, %i
    continue[0]
  }
  return %out
}
