; What the window begins with is cut off in the outer loop: what is decided of it there is asked as well.
; pass: version-loops
; run: @f([[1.0]], 5) = 1.0
; run: @f([[1.0, 2.0], [4.0, 8.0]], 1) = 30.0
; run: @f([[1.0, 2.0], [4.0, 8.0]], 0) = 27.0
func @f loop fast (%x: array<f64, 2>, %k: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %n: i64 = dim[0] %x
  %m: i64 = dim[1] %x
  %all: f64 = for %zero, %n, %one, %none {
  (%i: i64, %a: f64):
    %back: i64 = sub %i, %k
    %lo: i64 = max %back, %zero
    %rows: f64 = for %zero, %m, %one, %a {
    (%j: i64, %b: f64):
      %start: i64 = min %lo, %n
      %width: i64 = sub %n, %start
      %length: i64 = max %width, %zero
      %sum: f64 = for %zero, %length, %one, %b {
      (%l: i64, %c: f64):
        %at: i64 = add %start, %l
        %v: f64 = load_raw %x, %at, %j
        %d: f64 = add %c, %v
        continue[0] %d
      }
      continue[0] %sum
    }
    continue[0] %rows
  }
  return %all
}
