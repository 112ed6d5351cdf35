; Nobody sees what would be given back when the check fails.
; pass: fuse-loops
; count: for = 1
; run: @f([1.0, 2.0], [10.0, 100.0]) = [110.0, 220.0]
; run: @f([1.0, 2.0], [10.0]) raises IndexError
func @f loop fast (%x: array<f64, 1>, %w: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %x
  %m: i64 = dim[0] %w
  %out: array<f64, 1> = zeros %n
  %some: bool = lt %zero, %m
  check[IndexError, "first"] %some
  %a: f64 = load_raw %w, %zero
  for %zero, %n, %one {
  (%i: i64):
    %u: f64 = load_raw %x, %i
    %v: f64 = mul %u, %a
    store_raw %out, %v, %i
    continue[0]
  }
  %more: bool = lt %one, %m
  check[IndexError, "second"] %more
  %b: f64 = load_raw %w, %one
  for %zero, %n, %one {
  (%j: i64):
    %p: f64 = load_raw %x, %j
    %q: f64 = mul %p, %b
    %r: f64 = load_raw %out, %j
    %s: f64 = add %r, %q
    store_raw %out, %s, %j
    continue[0]
  }
  return %out
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: i64 = dim[0] %1
  %6: array<f64, 1> in m2 = zeros %4
  %7: bool = lt %2, %5
  check[IndexError, "first"] %7
  %8: f64 = load_raw %1, %2 !r m1
  %9: bool = lt %3, %5
  check[IndexError, "second"] %9
  %10: f64 = load_raw %1, %3 !r m1
  for %2, %4, %3 !r m0|m2 !w m2 {
  (%11: i64):
    %12: f64 = load_raw %0, %11 !r m0
    %13: f64 = mul %12, %8
    store_raw %6, %13, %11 !w m2
    %14: f64 = load_raw %0, %11 !r m0
    %15: f64 = mul %14, %10
    %16: f64 = load_raw %6, %11 !r m2
    %17: f64 = add %16, %15
    store_raw %6, %17, %11 !w m2
    continue[0]
  }
  return %6
}
