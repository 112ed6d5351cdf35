; The runtime sorts its elements, and forgets it.
; pass: hoist-arrays
; count: empty in loops = 0
; run: @f([[2.0, 1.0], [5.0, 8.0]]) = 6.0
func @f loop fast (%x: array<f64, 2>) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %n: i64 = dim[0] %x
  %m: i64 = dim[1] %x
  %r: f64 = for %zero, %n, %one, %none {
  (%i: i64, %sum: f64):
    %row: array<f64, 1> = empty %m
    for %zero, %m, %one {
    (%j: i64):
      %v: f64 = load_raw %x, %i, %j
      store_raw %row, %v, %j
      continue[0]
    }
    sort %row
    %least: f64 = load_raw %row, %zero
    %next: f64 = add %sum, %least
    continue[0] %next
  }
  return %r
}
