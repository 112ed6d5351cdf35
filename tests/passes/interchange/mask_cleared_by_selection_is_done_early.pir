; An element is done where its mask is false: nothing but false comes of it, and adding it adds nothing. Nobody looks at the mask later.
; pass: interchange
; count: break = 1
; count: store_raw = 2
; run: @f([0.5, 2.0, -1.0], 9) = [7, 5, 8]
; run: @f([0.5], 0) = [0]
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %limit: f64 = const 7.5
  %more: f64 = const 1.0
  %yes: bool = const true
  %no: bool = const false
  %n: i64 = dim[0] %a
  %out: array<i64, 1> = zeros %n
  %mask: array<bool, 1> = empty %n
  for %zero, %n, %one {
  (%k: i64):
    store_raw %mask, %yes, %k
    continue[0]
  }
  %x: array<f64, 1> = zeros %n
  for %zero, %steps, %one {
  (%t: i64):
    for %zero, %n, %one {
    (%i: i64):
      %on: bool = load_raw %mask, %i
      %v: f64 = load_raw %x, %i
      %u: f64 = load_raw %a, %i
      %y: f64 = add %v, %more
      %z: f64 = select %on, %y, %v
      store_raw %x, %z, %i
      %sum: f64 = add %z, %u
      %above: bool = gt %sum, %limit
      %still: bool = select %above, %no, %on
      store_raw %mask, %still, %i
      %count: i64 = load_raw %out, %i
      %add: i64 = cast %still
      %next: i64 = add %count, %add
      store_raw %out, %next, %i
      continue[0]
    }
    continue[0]
  }
  return %out
}
