; The condition depends on the step: an element that is kept in one step may change in the next.
; pass: interchange
; count: break = 0
; count: for = 2
; run: @f([0.0, 1.0, 5.0], 4) = [0.0, 4.0, 20.0]
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  for %zero, %steps, %one {
  (%t: i64):
    for %zero, %n, %one {
    (%i: i64):
      %x: f64 = load_raw %a, %i
      %late: bool = ge %t, %two
      %double: f64 = add %x, %x
      %four: f64 = sub %double, %x
      %same: f64 = add %four, %x
      %new: f64 = select %late, %same, %x
      store_raw %a, %new, %i
      continue[0]
    }
    continue[0]
  }
  return %a
}
