; The step before the last one is a result, too.
; pass: update-in-place
; count: empty = 2
; run: @f([1.0, 2.0], 2) = [2.0, 4.0], [4.0, 8.0]
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<f64, 1>, array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %first: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    store_raw %first, %x, %i
    continue[0]
  }
  %before: array<f64, 1>, %last: array<f64, 1> = for %zero, %steps, %one, %a, %first {
  (%t: i64, %older: array<f64, 1>, %old: array<f64, 1>):
    %new: array<f64, 1> = empty %n
    for %zero, %n, %one {
    (%j: i64):
      %y: f64 = load_raw %old, %j
      %z: f64 = add %y, %y
      store_raw %new, %z, %j
      continue[0]
    }
    continue[0] %old, %new
  }
  return %before, %last
}
