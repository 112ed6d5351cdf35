; The array that the loop starts from is returned as well.
; pass: update-in-place
; count: empty = 2
; run: @f([1.0, 2.0], 2) = [1.0, 2.0], [4.0, 8.0]
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
  %last: array<f64, 1> = for %zero, %steps, %one, %first {
  (%t: i64, %old: array<f64, 1>):
    %new: array<f64, 1> = empty %n
    for %zero, %n, %one {
    (%j: i64):
      %y: f64 = load_raw %old, %j
      %z: f64 = add %y, %y
      store_raw %new, %z, %j
      continue[0]
    }
    continue[0] %new
  }
  return %first, %last
}
