; Elements of two arrays by the same indices: both loops lose their checks.
; pass: scan-indices
; count: for = 6
; count: check = 2
; run: @f([1.0, 2.0], [4.0, 8.0, 16.0], [1, 0, -1]) = [2.0, 1.0, 2.0], [8.0, 4.0, 16.0]
; run: @f([1.0, 2.0], [4.0, 8.0, 16.0], [1, 2]) raises IndexError
; run: @f([1.0, 2.0], [4.0], [0, 1]) raises IndexError
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>, %index: array<i64, 1>) -> (array<f64, 1>, array<f64, 1>) {
  %m: i64 = dim[0] %a
  %n: i64 = dim[0] %index
  %zero: i64 = const 0
  %one: i64 = const 1
  %q: i64 = dim[0] %b
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
  %r: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%j: i64):
    %k2: i64 = load_raw %index, %j
    %w2: i64 = add %k2, %q
    %c2: bool = lt %k2, %zero
    %s2: i64 = select %c2, %w2, %k2
    %u2: u64 = cast %s2
    %l2: u64 = cast %q
    %in2: bool = lt %u2, %l2
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %in2, %k2, %q
    %x2: f64 = load_raw %b, %s2
    store_raw %r, %x2, %j
    continue[0]
  }
  return %t, %r
}
