; As `argmin` is made: the first NaN is the least. The least square says all, and what is neither near to it nor NaN is decided without a branch.
; pass: lanes
; count: sqrt in loops = 134
; run: @f([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], [8.5, 3.0, 4.5]) = [1, 1, 1, 1, 2, 2, 2, 0, 0, 0], [3.0, 2.0, 1.0, 0.0, 0.5, 0.5, 1.5, 1.5, 0.5, 0.5]
; run: @f([0.0, 1.0, 2.0, 3.0], [nan, 3.0, nan]) = [0, 0, 0, 0], [nan, nan, nan, nan]
; run: @f([0.0, 1.0, 2.0, nan, 3.0, 3.0], [4.0, 3.0]) = [1, 1, 1, 0, 1, 1], [3.0, 2.0, 1.0, nan, 0.0, 0.0]
; run: @f([0.0, 1.0, 2.0, 3.0], [3.0, nan, 2.0, nan]) = [1, 1, 1, 1], [nan, nan, nan, nan]
; run: @f([inf, 0.0, 0.0, 1e200], [inf, -inf]) = [0, 0, 0, 0], [nan, inf, inf, inf]
; run: @f([0.0, 0.0, 0.0, 0.0], [1.0000000000000002, 1.0]) = [1, 1, 1, 1], [1.0, 1.0, 1.0, 1.0]
; run: @f([0.0, 0.0, 0.0, 0.0], []) = [0, 0, 0, 0], [inf, inf, inf, inf]
; run: @f([1.0], [3.0]) = [0], [2.0]
; run: @g([1.0, 1.0, 1.0, 1.0, 1.0], [1.0000000000000004, 1.0000000000000002, 1.0]) = [1, 1, 1, 1, 1], [1.0, 1.0, 1.0, 1.0, 1.0]
func @f loop fast (%x: array<f64, 1>, %c: array<f64, 1>) -> (array<i64, 1>, array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %all: bool = const true
  %most: f64 = const inf
  %n: i64 = dim[0] %x
  %m: i64 = dim[0] %c
  %out: array<i64, 1> = empty %n
  %far: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %least: f64, %found: i64, %none: bool = for %zero, %m, %one, %most, %zero, %all {
    (%k: i64, %best: f64, %place: i64, %numbers: bool):
      %b: f64 = load_raw %c, %k
      %a: f64 = load_raw %x, %i
      %d: f64 = sub %b, %a
      %q: f64 = mul %d, %d
      %v: f64 = sqrt %q
      %stays: bool = ge %v, %best
      %other: bool = not %stays
      %wins: bool = and %other, %numbers
      %nan: bool = isnan %v
      %number: bool = not %nan
      %next: f64 = select %wins, %v, %best
      %here: i64 = select %wins, %k, %place
      %still: bool = and %numbers, %number
      continue[0] %next, %here, %still
    }
    store_raw %out, %found, %i
    store_raw %far, %least, %i
    continue[0]
  }
  return %out, %far
}

func @g loop fast (%x: array<f64, 1>, %c: array<f64, 1>) -> (array<i64, 1>, array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %all: bool = const true
  %most: f64 = const inf
  %n: i64 = dim[0] %x
  %m: i64 = dim[0] %c
  %out: array<i64, 1> = empty %n
  %far: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %least: f64, %found: i64, %none: bool = for %zero, %m, %one, %most, %zero, %all {
    (%k: i64, %best: f64, %place: i64, %numbers: bool):
      %b: f64 = load_raw %c, %k
      %a: f64 = load_raw %x, %i
      %d: f64 = mul %b, %a
      %q: f64 = abs %d
      %v: f64 = sqrt %q
      %stays: bool = ge %v, %best
      %other: bool = not %stays
      %wins: bool = and %other, %numbers
      %nan: bool = isnan %v
      %number: bool = not %nan
      %next: f64 = select %wins, %v, %best
      %here: i64 = select %wins, %k, %place
      %still: bool = and %numbers, %number
      continue[0] %next, %here, %still
    }
    store_raw %out, %found, %i
    store_raw %far, %least, %i
    continue[0]
  }
  return %out, %far
}
