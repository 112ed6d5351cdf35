; A step needs what the step before made of the neighbour.
; pass: interchange
; count: for = 2
; count: load_raw = 2
; run: @f([1.0, 2.0, 4.0, 8.0], 2) = [9.0, 18.0, 20.0, 8.0]
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %last: i64 = sub %n, %one
  for %zero, %steps, %one {
  (%t: i64):
    for %zero, %last, %one {
    (%i: i64):
      %j: i64 = add %i, %one
      %x: f64 = load_raw %a, %i
      %y: f64 = load_raw %a, %j
      %z: f64 = add %x, %y
      %w: f64 = sub %z, %y
      %v: f64 = add %w, %y
      store_raw %a, %v, %i
      continue[0]
    }
    continue[0]
  }
  return %a
}
