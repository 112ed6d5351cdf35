; An element is done where its mask is true.
; pass: interchange
; count: break = 1
; run: @f([0.5, 2.0, -1.0], 9) = [8.5, 8.0, 8.0]
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %limit: f64 = const 7.5
  %more: f64 = const 1.0
  %n: i64 = dim[0] %a
  %done: array<bool, 1> = zeros %n
  for %zero, %steps, %one {
  (%t: i64):
    for %zero, %n, %one {
    (%i: i64):
      %is: bool = load_raw %done, %i
      %x: f64 = load_raw %a, %i
      %y: f64 = add %x, %more
      %z: f64 = select %is, %x, %y
      store_raw %a, %z, %i
      %above: bool = gt %z, %limit
      %not: bool = not %is
      %new: bool = and %above, %not
      %next: bool = or %is, %new
      store_raw %done, %next, %i
      continue[0]
    }
    continue[0]
  }
  return %a
}
