; In the last group no index lies beyond the range, where there may be no number for it.
; pass: lanes
; count: load_raw = 33
; run: @f([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], 2) = [7.0, 11.0, 15.0, 19.0, 11.0, 13.0, 15.0, 17.0, 19.0]
func @f loop fast (%a: array<f64, 1>, %limit: i64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %stop: i64 = const 9223372036854775807
  %start: i64 = sub %stop, %n
  %more: f64 = const 1.0
  %most: f64 = const 10.0
  %r: array<f64, 1> = empty %n
  for %start, %stop, %one {
  (%i: i64):
    %at: i64 = sub %i, %start
    %x: f64 = load_raw %a, %at
    %last: f64 = for %zero, %limit, %one, %x {
    (%step: i64, %y: f64):
      %large: bool = gt %y, %most
      if %large {
        break[0] %y
      } else {
        yield
      }
      %d: f64 = add %y, %y
      %e: f64 = add %d, %more
      continue[0] %e
    }
    store_raw %r, %last, %at
    continue[0]
  }
  return %r
}
