; The row of distances is one number at a time for each lane, in the loop that looks for the least.
; pass: lanes
; count: empty = 1
; run: @f([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], [8.5, 3.0, 4.5]) = [1, 1, 1, 1, 2, 2, 2, 0, 0, 0]
; run: @f([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], []) = [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
; run: @f([1.0], [3.0]) = [0]
; run: @f([], [3.0]) = []
func @f loop fast (%x: array<f64, 1>, %c: array<f64, 1>) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: i64 = const -1
  %most: f64 = const inf
  %n: i64 = dim[0] %x
  %m: i64 = dim[0] %c
  %row: array<f64, 1> = empty %m
  %out: array<i64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      %a: f64 = load_raw %x, %i
      %b: f64 = load_raw %c, %j
      %d: f64 = sub %a, %b
      %q: f64 = mul %d, %d
      store_raw %row, %q, %j
      continue[0]
    }
    %least: f64, %at: i64 = for %zero, %m, %one, %most, %none {
    (%k: i64, %best: f64, %place: i64):
      %v: f64 = load_raw %row, %k
      %less: bool = lt %v, %best
      %next: f64 = select %less, %v, %best
      %here: i64 = select %less, %k, %place
      continue[0] %next, %here
    }
    store_raw %out, %at, %i
    continue[0]
  }
  return %out
}
