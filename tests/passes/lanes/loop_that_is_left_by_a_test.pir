; Lanes go on as long as any of them does; each keeps what it had when its own loop ended.
; pass: lanes
; count: for = 2
; count: loop = 2
; run: @f([1.0, 8.0, 0.5], 3) = [3.0, 1.0, 3.0]
; run: @f([1.0, 8.0, 0.5, 2.0, 100.0, 0.25, 9.0], 3) = [3.0, 1.0, 3.0, 2.0, 0.0, 3.0, 1.0]
; run: @f([1.0, 8.0, 0.5, 2.0, 100.0, 0.25, 9.0, 1.0, 8.0, 0.5, 2.0, 100.0, 0.25, 9.0, 1.0, 8.0, 0.5], 9) = [3.0, 1.0, 3.0, 2.0, 0.0, 4.0, 1.0, 3.0, 1.0, 3.0, 2.0, 0.0, 4.0, 1.0, 3.0, 1.0, 3.0]
; run: @f([], 3) = []
func @f loop fast (%a: array<f64, 1>, %limit: i64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %most: f64 = const 16.0
  %none: f64 = const 0.0
  %more: f64 = const 1.0
  %r: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %last: f64, %count: f64, %steps: i64 = loop %x, %none, %zero {
    (%y: f64, %k: f64, %step: i64):
      %small: bool = lt %y, %most
      %early: bool = lt %step, %limit
      %both: bool = and %small, %early
      if %both {
        yield
      } else {
        break[0] %y, %k, %step
      }
      %square: f64 = mul %y, %y
      %twice: f64 = add %square, %y
      %grown: f64 = add %twice, %y
      %next: f64 = add %k, %more
      %after: i64 = add %step, %one
      continue[0] %grown, %next, %after
    }
    store_raw %r, %count, %i
    continue[0]
  }
  return %r
}
