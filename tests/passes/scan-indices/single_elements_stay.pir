; A second walk over indices that are used once costs more than the checks.
; pass: scan-indices
; count: for = 1
; count: check = 1
; run: @f([1.0, 2.0], [1, 0, -1]) = [2.0, 1.0, 2.0]
func @f loop fast (%a: array<f64, 1>, %index: array<i64, 1>) -> (array<f64, 1>) {
  %m: i64 = dim[0] %a
  %n: i64 = dim[0] %index
  %zero: i64 = const 0
  %one: i64 = const 1
  %t: array<f64, 1> = empty %n
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
    %x: f64 = load_raw %a, %s
    store_raw %t, %x, %i
    continue[0]
  }
  return %t
}
