; Arguments of the version for any arguments may have gaps.
; pass: coalesce
; count: for = 2
; run: @f([[1.0, -2.0, 4.0], [0.5, 0.25, 8.0]]) = [[1.0, 4.0, 16.0], [0.25, 0.0625, 64.0]]
func @f loop general (%a: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %b: array<f64, 2> = zeros %n, %m
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      %x: f64 = load_raw %a, %i, %j
      %y: f64 = mul %x, %x
      store_raw %b, %y, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %b
}
; ---- after
func @f loop general (%0: array<f64, 2> in m0) -> (array<f64, 2>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: array<f64, 2> in m1 = zeros %1, %2
  for %3, %1, %4 !r m0 !w m1 {
  (%7: i64):
    for %3, %2, %4 !r m0 !w m1 {
    (%8: i64):
      %9: f64 = load_raw %0, %7, %8 !r m0
      %10: f64 = mul %9, %9
      store_raw %6, %10, %7, %8 !w m1
      continue[0]
    }
    continue[0]
  }
  return %6
}
