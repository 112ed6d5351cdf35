; An element is done where its mask is false: it stays so.
; pass: interchange
; count: break = 1
; run: @f([0.5, 2.0, -1.0], 9) = [7.5, 8.0, 8.0]
; run: @f([0.5], 0) = [0.5]
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %limit: f64 = const 7.5
  %more: f64 = const 1.0
  %yes: bool = const true
  %n: i64 = dim[0] %a
  %mask: array<bool, 1> = empty %n
  for %zero, %n, %one {
  (%k: i64):
    store_raw %mask, %yes, %k
    continue[0]
  }
  for %zero, %steps, %one {
  (%t: i64):
    for %zero, %n, %one {
    (%i: i64):
      %on: bool = load_raw %mask, %i
      %x: f64 = load_raw %a, %i
      %y: f64 = add %x, %more
      %z: f64 = select %on, %y, %x
      store_raw %a, %z, %i
      %below: bool = lt %y, %limit
      %stays: bool = and %on, %below
      store_raw %mask, %stays, %i
      continue[0]
    }
    continue[0]
  }
  return %a
}
