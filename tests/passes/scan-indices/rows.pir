; All indices are looked at before rows are copied; where one is too large, the loop that complains is run.
; pass: scan-indices
; count: for = 4
; count: check = 1
; run: @f([[1.0, 2.0], [3.0, 4.0]], [1, -2, 1]) = [[3.0, 4.0], [1.0, 2.0], [3.0, 4.0]]
; run: @f([[1.0, 2.0], [3.0, 4.0]], []) = []
; run: @f([[1.0, 2.0], [3.0, 4.0]], [0, 2, -3]) raises IndexError
func @f loop fast (%a: array<f64, 2>, %index: array<i64, 1>) -> (array<f64, 2>) {
  %m: i64 = dim[0] %a
  %d: i64 = dim[1] %a
  %n: i64 = dim[0] %index
  %zero: i64 = const 0
  %one: i64 = const 1
  %t: array<f64, 2> = empty %n, %d
  for %zero, %n, %one {
  (%i: i64):
    %k: i64 = load_raw %index, %i
    %w: i64 = add %k, %m
    %c: bool = lt %k, %zero
    %s: i64 = select %c, %w, %k
    %u: u64 = cast %s
    %l: u64 = cast %m
    %in: bool = lt %u, %l
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %in, %k, %m
    for %zero, %d, %one {
    (%j: i64):
      %x: f64 = load_raw %a, %s, %j
      store_raw %t, %x, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %t
}
