; The last block of a sum is shorter; that is no end that a loop is asked about.
; pass: version-loops
; count: if = 0
; run: @f([[1.0, 2.0], [4.0, 8.0]]) = [3.0, 12.0]
func @f loop fast (%x: array<f64, 2>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %block: i64 = const 4096
  %m: i64 = dim[0] %x
  %n: i64 = dim[1] %x
  %out: array<f64, 1> = empty %m
  for %zero, %m, %one {
  (%i: i64):
    %sum: f64 = for %zero, %n, %block, %none {
    (%j: i64, %before: f64):
      %left: i64 = sub %n, %j
      %length: i64 = min %left, %block
      %end: i64 = add %j, %length
      %part: f64 = for %j, %end, %one, %none {
      (%k: i64, %so: f64):
        %v: f64 = load_raw %x, %i, %k
        %far: f64 = add %so, %v
        continue[0] %far
      }
      %after: f64 = add %before, %part
      continue[0] %after
    }
    store_raw %out, %sum, %i
    continue[0]
  }
  return %out
}
