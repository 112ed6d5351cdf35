; The first two iterations and the last three are loops of their own, which test as before.
; pass: peel
; count: for = 3
; run: @f([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]) = [0.0, 0.0, 3.0, 4.0, 5.0, 0.0, 0.0, 0.0]
; run: @f([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) = [0.0, 0.0, 3.0, 0.0, 0.0, 0.0]
; run: @f([1.0, 2.0, 3.0, 4.0]) = [0.0, 0.0, 0.0, 0.0]
; run: @f([1.0]) = [0.0]
; run: @f([]) = []
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %three: i64 = const 3
  %none: f64 = const 0.0
  %end: i64 = sub %n, %three
  %r: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%j: i64):
    %behind: bool = ge %j, %two
    %x: f64 = if %behind {
      %before: bool = lt %j, %end
      %y: f64 = if %before {
        %p: f64 = load_raw %a, %j
        yield %p
      } else {
        yield %none
      }
      yield %y
    } else {
      yield %none
    }
    store_raw %r, %x, %j
    continue[0]
  }
  return %r
}
