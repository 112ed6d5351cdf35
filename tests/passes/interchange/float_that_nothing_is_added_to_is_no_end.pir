; -0.0 + 0.0 is 0.0: what a false mask adds to a float may change it, so all steps are made.
; pass: interchange
; count: break = 0
; run: @f([0.5, 2.0], 3) = [3.0, 2.0]
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %limit: f64 = const 4.5
  %more: f64 = const 1.0
  %yes: bool = const true
  %n: i64 = dim[0] %a
  %out: array<f64, 1> = zeros %n
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
      %below: bool = lt %z, %limit
      %still: bool = and %on, %below
      store_raw %mask, %still, %i
      %count: f64 = load_raw %out, %i
      %add: f64 = cast %still
      %next: f64 = add %count, %add
      store_raw %out, %next, %i
      continue[0]
    }
    continue[0]
  }
  return %out
}
