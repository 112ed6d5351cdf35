; A check that asks for no element may be what lets the next line read one.
; pass: scan-indices
; count: for = 2
; count: check = 2
; run: @f([[1.0], [2.0]], [1, 0], 2) = [[2.0], [1.0]]
; run: @f([[1.0], [2.0]], [1, 0], 3) raises IndexError
func @f loop fast (%a: array<f64, 2>, %index: array<i64, 1>, %n: i64) -> (array<f64, 2>) {
  %m: i64 = dim[0] %a
  %d: i64 = dim[1] %a
  %q: i64 = dim[0] %index
  %zero: i64 = const 0
  %one: i64 = const 1
  %t: array<f64, 2> = empty %n, %d
  for %zero, %n, %one {
  (%i: i64):
    %uo: u64 = cast %i
    %lo: u64 = cast %q
    %ino: bool = lt %uo, %lo
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %ino, %i, %q
    %k: i64 = load_raw %index, %i
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
