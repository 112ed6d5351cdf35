; Whether a root is NaN is asked of the square. What has no root has none behind the loop either.
; pass: carry-squares
; count: sqrt in loops = 0
; count: sqrt = 1
; run: @f([9.0, 4.0, 16.0]) = 2.0, 0
; run: @f([9.0, -4.0, nan]) = nan, 2
; run: @f([inf]) = inf, 0
; run: @f([]) = inf, 0
func @f loop fast (%x: array<f64, 1>) -> (f64, i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %inf: f64 = const inf
  %n: i64 = dim[0] %x
  %least: f64, %none: i64 = for %zero, %n, %one, %inf, %zero {
  (%i: i64, %best: f64, %count: i64):
    %s: f64 = load_raw %x, %i
    %r: f64 = sqrt %s
    %m: f64 = min %best, %r
    %nan: bool = isnan %r
    %more: i64 = add %count, %one
    %next: i64 = select %nan, %more, %count
    continue[0] %m, %next
  }
  return %least, %none
}
