; The last one updates another array.
; pass: join-updates
; count: for = 2
; run: @f([[1.0, 2.0], [4.0, 8.0]]) = [1.0, 2.0]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 1>) {
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %none: f64 = const 0.0
  %c: array<f64, 1> = zeros %m
  %d: array<f64, 1> = zeros %m
  for %zero, %m, %one {
  (%i: i64):
    store_raw %c, %none, %i
    continue[0]
  }
  %row: i64 = const 0
  for %zero, %m, %one {
  (%j: i64):
    %y: f64 = load_raw %c, %j
    %x: f64 = load_raw %a, %row, %j
    %z: f64 = add %y, %x
    store_raw %c, %z, %j
    continue[0]
  }
  %next: i64 = add %row, %one
  for %zero, %m, %one {
  (%k: i64):
    %v: f64 = load_raw %d, %k
    %w: f64 = load_raw %a, %next, %k
    %u: f64 = mul %w, %w
    %t: f64 = sub %v, %u
    store_raw %d, %t, %k
    continue[0]
  }
  return %c
}
