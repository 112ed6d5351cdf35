; Nothing is gained where neither loop touches what the other one does.
; pass: fuse-loops
; count: for = 2
; run: @f([1.0, 2.0], [4.0, 8.0]) = [2.0, 4.0], [8.0, 16.0]
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>) -> (array<f64, 1>, array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %c: array<f64, 1> = empty %n
  %d: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %y: f64 = add %x, %x
    store_raw %c, %y, %i
    continue[0]
  }
  for %zero, %n, %one {
  (%j: i64):
    %u: f64 = load_raw %b, %j
    %v: f64 = add %u, %u
    store_raw %d, %v, %j
    continue[0]
  }
  return %c, %d
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>, array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: array<f64, 1> in m2 = empty %2
  %6: array<f64, 1> in m3 = empty %2
  for %3, %2, %4 !r m0 !w m2 {
  (%7: i64):
    %8: f64 = load_raw %0, %7 !r m0
    %9: f64 = add %8, %8
    store_raw %5, %9, %7 !w m2
    continue[0]
  }
  for %3, %2, %4 !r m1 !w m3 {
  (%10: i64):
    %11: f64 = load_raw %1, %10 !r m1
    %12: f64 = add %11, %11
    store_raw %6, %12, %10 !w m3
    continue[0]
  }
  return %5, %6
}
