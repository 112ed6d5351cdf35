; A range has an end as well: lanes that come there have what they carry. What iterations carry goes through the lanes in order.
; pass: lanes
; count: loop = 0
; count: select = 81
; run: @f([1.0, 8.0, 0.5], 3) = [8.0, 64.0, 4.0], 1
; run: @f([1.0, 8.0, 0.5, 2.0, 100.0, 0.25, 9.0], 2) = [4.0, 32.0, 2.0, 8.0, 200.0, 1.0, 36.0], 2
func @f loop fast (%a: array<f64, 1>, %limit: i64) -> (array<f64, 1>, i64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %most: f64 = const 32.0
  %double: f64 = const 2.0
  %r: array<f64, 1> = empty %n
  %left: i64 = for %zero, %n, %one, %zero {
  (%i: i64, %seen: i64):
    %x: f64 = load_raw %a, %i
    %last: f64, %gone: i64 = for %zero, %limit, %one, %x, %zero {
    (%step: i64, %y: f64, %g: i64):
      %d: f64 = mul %y, %double
      %e: f64 = add %d, %d
      %large: bool = gt %d, %most
      if %large {
        %f: f64 = select %large, %d, %e
        break[0] %f, %one
      } else {
        yield
      }
      %quarter: f64 = sub %e, %d
      continue[0] %quarter, %g
    }
    store_raw %r, %last, %i
    %more: i64 = add %seen, %gone
    continue[0] %more
  }
  return %r, %left
}
