; Squares are compared in place of roots, but where they are so near to each other that their roots may be equal. A branch that all
; iterations take or none is asked for before them.
; pass: lanes
; count: lt in loops = 50
; run: @f([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], [8.5, 3.0, 4.5], 3) = [1, 1, 1, 1, 2, 2, 2, 0, 0, 0]
; run: @f([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, nan, 5.0], [1.0000000000000002, 1.0], 2) = [0, 0, 0, 0, 0, 0, 0, 0, -1, 0]
; run: @f([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], [], 0) = [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
; run: @f([1.0], [3.0], 1) = [0]
; run: @f([], [3.0], 1) = []
func @f loop fast (%x: array<f64, 1>, %c: array<f64, 1>, %m: i64) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: i64 = const -1
  %n: i64 = dim[0] %x
  %out: array<i64, 1> = empty %n
  %some: bool = lt %zero, %m
  for %zero, %n, %one {
  (%i: i64):
    %at: i64 = if %some {
      %a: f64 = load_raw %x, %i
      %most: f64 = const inf
      %least: f64, %found: i64 = for %zero, %m, %one, %most, %none {
      (%k: i64, %best: f64, %place: i64):
        %b: f64 = load_raw %c, %k
        %d: f64 = sub %a, %b
        %q: f64 = abs %d
        %v: f64 = sqrt %q
        %less: bool = lt %v, %best
        %next: f64, %here: i64 = if %less {
          yield %v, %k
        } else {
          yield %best, %place
        }
        continue[0] %next, %here
      }
      yield %found
    } else {
      yield %none
    }
    store_raw %out, %at, %i
    continue[0]
  }
  return %out
}
