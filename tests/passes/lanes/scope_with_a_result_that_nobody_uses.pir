; What a scope gives besides, and nobody asks for, is carried by no loop: a later way out of the scope does not look at it.
; pass: lanes
; count: scope = 1
; run: @f([1.0, 8.0, 0.5, 2.0, 100.0, 0.25, 9.0, 1.0, 8.0, 0.5, 2.0, 100.0, 0.25, 9.0, 1.0, 8.0, 0.5], 2) = [-1, 0, 5, 1, 0, 5, 0, -1, 0, 5, 1, 0, 5, 0, -1, 0, 5]
func @f loop fast (%a: array<f64, 1>, %limit: i64) -> (array<i64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %five: i64 = const 5
  %none: i64 = const -1
  %most: f64 = const 7.0
  %few: f64 = const 10.0
  %r: array<i64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %k: i64, %besides: f64 = scope {
      %last: f64 = for %zero, %limit, %one, %x {
      (%step: i64, %y: f64):
        %large: bool = gt %y, %most
        if %large {
          break[1] %step, %y
        } else {
          yield
        }
        %d: f64 = add %y, %y
        %e: f64 = add %d, %y
        %f: f64 = add %e, %y
        continue[0] %f
      }
      %small: bool = lt %last, %few
      if %small {
        break[0] %five, %last
      } else {
        yield
      }
      break[0] %none, %last
    }
    store_raw %r, %k, %i
    continue[0]
  }
  return %r
}
