; Each row needs what the row before has found: there is one loop.
; pass: lower
; count: sqrt = 1
; run: @f([[0.0, 1.0], [5.0, 5.0], [nan, 0.0]], [[4.0, 4.0], [0.0, 0.0], [0.0, 0.0]]) = 1
func @f array fast (%a: array<f64, 2> in m0, %b: array<f64, 2> in m1) -> (i64) {
  %m: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %out: i64 = for %zero, %m, %one, %zero {
  (%i: i64, %at: i64):
    %p: array<f64, 1> = view[at] %a, %at
    %s: array<f64, 1> = map[reduce sum axes 1] %b, %p {
    (%x: f64, %y: f64):
      %z: f64 = sub %x, %y
      %w: f64 = mul %z, %z
      yield %w
    }
    %d: array<f64, 1> = sqrt %s
    %k: i64 = reduce[argmin] %d
    continue[0] %k
  }
  return %out
}
