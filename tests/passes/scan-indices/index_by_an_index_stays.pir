; The second index is read where the first one, which is checked, says.
; pass: scan-indices
; count: for = 2
; count: check = 2
; run: @f([[1.0], [2.0]], [1, 0, 1], [2, 1]) = [[2.0], [1.0]]
; run: @f([[1.0], [2.0]], [1, 0, 1], [3]) raises IndexError
func @f loop fast (%a: array<f64, 2>, %index: array<i64, 1>, %other: array<i64, 1>) -> (array<f64, 2>) {
  %m: i64 = dim[0] %a
  %d: i64 = dim[1] %a
  %q: i64 = dim[0] %index
  %n: i64 = dim[0] %other
  %zero: i64 = const 0
  %one: i64 = const 1
  %t: array<f64, 2> = empty %n, %d
  for %zero, %n, %one {
  (%i: i64):
    %o: i64 = load_raw %other, %i
    %uo: u64 = cast %o
    %lo: u64 = cast %q
    %ino: bool = lt %uo, %lo
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %ino, %o, %q
    %k: i64 = load_raw %index, %o
    %u: u64 = cast %k
    %l: u64 = cast %m
    %in: bool = lt %u, %l
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %in, %k, %m
    for %zero, %d, %one {
    (%j: i64):
      %x: f64 = load_raw %a, %k, %j
      store_raw %t, %x, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %t
}
