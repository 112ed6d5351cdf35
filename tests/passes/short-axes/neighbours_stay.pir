; Neighbours along an axis are no coordinates of a point.
; pass: short-axes
; count: for = 3
; run: @f([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]], 2) = 72.0
func @f loop fast (%p: array<f64, 2>, %m: i64) -> (f64) {
  %n: i64 = dim[0] %p
  %k: i64 = dim[1] %p
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %less: i64 = dim[1] %p
  %all: f64 = for %zero, %n, %one, %none {
  (%i: i64, %a: f64):
    %part: f64 = for %zero, %m, %one, %a {
    (%j: i64, %b: f64):
      %sum: f64 = for %zero, %k, %one, %b {
      (%c: i64, %s: f64):
        %before: i64 = sub %c, %one
        %first: bool = lt %before, %zero
        %x: f64 = if %first {
          %here: f64 = load_raw %p, %i, %c
          yield %here
        } else {
          %left: f64 = load_raw %p, %j, %before
          yield %left
        }
        %t: f64 = add %s, %x
        continue[0] %t
      }
      continue[0] %sum
    }
    continue[0] %part
  }
  return %all
}
