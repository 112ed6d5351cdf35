; Asked once whether the width is from 0 to the length: then all windows have it. Else they are cut off as slices are.
; pass: version-loops
; count: if = 1
; count: min = 2
; count: max = 3
; run: @f([1.0, 2.0, 4.0, 8.0], 2) = [3.0, 6.0, 12.0]
; run: @f([1.0, 2.0, 4.0, 8.0], 4) = [15.0]
; run: @f([1.0, 2.0, 4.0, 8.0], 0) = [0.0, 0.0, 0.0, 0.0, 0.0]
; run: @f([1.0, 2.0], 3) = []
; run: @f([1.0, 2.0], -1) = [1.0, 0.0, 0.0, 0.0]
func @f loop fast (%x: array<f64, 1>, %k: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %n: i64 = dim[0] %x
  %room: i64 = sub %n, %k
  %last: i64 = add %room, %one
  %count: i64 = max %last, %zero
  %out: array<f64, 1> = empty %count
  for %zero, %last, %one {
  (%i: i64):
    %end: i64 = add %i, %k
    %start: i64 = min %i, %n
    %wrapped: i64 = add %end, %n
    %negative: bool = lt %end, %zero
    %stop: i64 = select %negative, %wrapped, %end
    %least: i64 = max %stop, %zero
    %most: i64 = min %least, %n
    %width: i64 = sub %most, %start
    %length: i64 = max %width, %zero
    %sum: f64 = for %zero, %length, %one, %none {
    (%j: i64, %before: f64):
      %at: i64 = add %start, %j
      %v: f64 = load_raw %x, %at
      %after: f64 = add %before, %v
      continue[0] %after
    }
    store_raw %out, %sum, %i
    continue[0]
  }
  return %out
}
