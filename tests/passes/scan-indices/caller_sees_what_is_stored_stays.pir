; What is stored belongs to the caller.
; pass: scan-indices
; count: for = 2
; count: check = 3
; run: @f([1.0, 2.0], [1, 0], [0.0, 0.0]) = [2.0, 1.0]
func @f loop fast (%a: array<f64, 1>, %index: array<i64, 1>, %t: array<f64, 1>) -> (array<f64, 1>) {
  %m: i64 = dim[0] %a
  %n: i64 = dim[0] %index
  %zero: i64 = const 0
  %one: i64 = const 1
  %p: i64 = dim[0] %t
  %same: bool = eq %p, %n
  check[ValueError, "other length"] %same
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
  for %zero, %n, %one {
  (%j: i64):
    %k2: i64 = load_raw %index, %j
    %w2: i64 = add %k2, %m
    %c2: bool = lt %k2, %zero
    %s2: i64 = select %c2, %w2, %k2
    %u2: u64 = cast %s2
    %l2: u64 = cast %m
    %in2: bool = lt %u2, %l2
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %in2, %k2, %m
    %x2: f64 = load_raw %a, %s2
    store_raw %t, %x2, %j
    continue[0]
  }
  return %t
}
