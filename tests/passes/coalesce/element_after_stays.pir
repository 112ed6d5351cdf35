; The element after is in the same row only within a row.
; pass: coalesce
; count: for = 2
; run: @f([[1.0, -2.0, 4.0], [0.5, 0.25, 8.0]]) = [[4.0, 16.0, 0.0], [0.0625, 64.0, 0.0]]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %less: i64 = sub %m, %one
  %b: array<f64, 2> = zeros %n, %m
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %less, %one {
    (%j: i64):
      %next: i64 = add %j, %one
      %x: f64 = load_raw %a, %i, %next
      %y: f64 = mul %x, %x
      store_raw %b, %y, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %b
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: i64 = sub %2, %4
  %7: array<f64, 2> in m1 = zeros %1, %2
  for %3, %1, %4 !r m0 !w m1 {
  (%8: i64):
    for %3, %6, %4 !r m0 !w m1 {
    (%9: i64):
      %10: i64 = add %9, %4
      %11: f64 = load_raw %0, %8, %10 !r m0
      %12: f64 = mul %11, %11
      store_raw %7, %12, %8, %9 !w m1
      continue[0]
    }
    continue[0]
  }
  return %7
}
