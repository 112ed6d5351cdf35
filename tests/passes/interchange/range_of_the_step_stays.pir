; How many elements there are depends on the step.
; pass: interchange
; count: for = 2
; count: load_raw = 1
; run: @f([1.0, 2.0, 4.0], 3) = [4.0, 4.0, 4.0]
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  for %zero, %steps, %one {
  (%t: i64):
    for %zero, %t, %one {
    (%i: i64):
      %x: f64 = load_raw %a, %i
      %y: f64 = add %x, %x
      %z: f64 = sub %y, %x
      %w: f64 = add %z, %x
      store_raw %a, %w, %i
      continue[0]
    }
    continue[0]
  }
  return %a
}
