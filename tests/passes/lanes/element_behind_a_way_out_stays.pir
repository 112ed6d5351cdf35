; What a step loads may only be there because the loop has not been left before.
; pass: lanes
; count: for = 2
; run: @f([1.0, 2.0], [3.0, 4.0], 2) = [7.0, 10.0]
; run: @f([1.0, 2.0], [3.0, 4.0], 1) = [3.0, 3.0]
func @f loop fast (%x: array<f64, 1>, %c: array<f64, 1>, %last: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %many: i64 = const 100
  %start: f64 = const 0.0
  %n: i64 = dim[0] %x
  %out: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %a: f64 = load_raw %x, %i
    %sum: f64 = for %zero, %many, %one, %start {
    (%j: i64, %s: f64):
      %on: bool = lt %j, %last
      if %on {
        yield
      } else {
        break[0] %s
      }
      %b: f64 = load_raw %c, %j
      %d: f64 = mul %s, %a
      %t: f64 = add %d, %b
      continue[0] %t
    }
    store_raw %out, %sum, %i
    continue[0]
  }
  return %out
}
