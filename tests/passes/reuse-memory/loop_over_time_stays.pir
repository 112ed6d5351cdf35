; Each step of the outer loop loads what there was at first.
; pass: reuse-memory
; count: empty = 2
; run: @f([1.0, 2.0], 3) = [3.0, 5.0]
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %more: f64 = const 1.0
  %n: i64 = dim[0] %a
  %t: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = add %x, %x
    store_raw %t, %y, %i
    continue[0]
  }
  %r: array<f64, 1> = empty %n
  for %zero, %steps, %one {
  (%s: i64):
    for %zero, %n, %one {
    (%j: i64):
      %p: f64 = load_raw %t, %j
      %u: f64 = add %p, %more
      store_raw %r, %u, %j
      continue[0]
    }
    continue[0]
  }
  return %r
}
