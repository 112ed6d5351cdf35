; A function that returns from its loop, inlined: lanes that have left it take no part in what stands behind the loop.
; pass: lanes
; count: scope = 1
; run: @f([1.0, 8.0, 0.5, 2.0, 100.0, 0.25, 9.0, 1.0, 8.0, 0.5, 2.0, 100.0, 0.25, 9.0, 1.0, 8.0, 0.5], 2) = [-1, 0, -1, 1, 0, -1, 0, -1, 0, -1, 1, 0, -1, 0, -1, 0, -1]
func @f loop fast (%a: array<f64, 1>, %limit: i64) -> (array<i64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: i64 = const -1
  %most: f64 = const 7.0
  %r: array<i64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %k: i64 = scope {
      %last: f64 = for %zero, %limit, %one, %x {
      (%step: i64, %y: f64):
        %large: bool = gt %y, %most
        if %large {
          break[1] %step
        } else {
          yield
        }
        %d: f64 = add %y, %y
        %e: f64 = add %d, %y
        %f: f64 = add %e, %y
        continue[0] %f
      }
      break[0] %none
    }
    store_raw %r, %k, %i
    continue[0]
  }
  return %r
}
