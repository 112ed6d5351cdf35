; The second loop reads what the first one has made of another element.
; pass: join-updates
; count: for = 3
; run: @f([1.0, 2.0, 4.0]) = [6.0, 8.0, 4.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %m: i64 = sub %n, %one
  for %zero, %m, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = add %x, %x
    store_raw %a, %y, %i
    continue[0]
  }
  for %zero, %m, %one {
  (%j: i64):
    %k: i64 = add %j, %one
    %v: f64 = load_raw %a, %j
    %w: f64 = load_raw %a, %k
    %u: f64 = add %v, %w
    store_raw %a, %u, %j
    continue[0]
  }
  %r: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%l: i64):
    %p: f64 = load_raw %a, %l
    store_raw %r, %p, %l
    continue[0]
  }
  return %r
}
