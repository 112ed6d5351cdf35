; Rolled arrays, each of as many elements as there are.
; pass: forward
; count: empty = 2
; count: for = 2
; run: @f([1.0, 2.0, 4.0]) = [4.0, 16.0, 1.0], [16.0, 1.0, 4.0]
; run: @f([]) = [], []
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>, array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %back: i64 = const -1
  %t: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = mul %x, %x
    store_raw %t, %y, %i
    continue[0]
  }
  %r: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%j: i64):
    %k: i64 = add %j, %one
    %kn: i64 = mod %k, %n
    %p: f64 = load_raw %t, %kn
    store_raw %r, %p, %j
    continue[0]
  }
  %l: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%q: i64):
    %u: i64 = add %q, %back
    %un: i64 = mod %u, %n
    %v: f64 = load_raw %t, %un
    store_raw %l, %v, %q
    continue[0]
  }
  return %r, %l
}
