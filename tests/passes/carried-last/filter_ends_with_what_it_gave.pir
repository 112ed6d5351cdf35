; The products of what was there before are added first; of the two that the loop made itself, the younger one last.
; pass: carried-last
; run: @f([1.0, 2.0, 4.0, 8.0]) = [0.0, 0.0, 6.0, 15.0]
func @f loop fast (%x: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %half: f64 = const 0.5
  %n: i64 = dim[0] %x
  %y: array<f64, 1> = zeros %n
  for %two, %n, %one {
  (%i: i64):
    %before: i64 = sub %i, %one
    %earlier: i64 = sub %i, %two
    %a: f64 = load_raw %y, %before
    %b: f64 = mul %a, %half
    %c: f64 = load_raw %y, %earlier
    %d: f64 = sub %b, %c
    %e: f64 = load_raw %x, %i
    %g: f64 = add %d, %e
    %h: f64 = load_raw %x, %before
    %s: f64 = add %g, %h
    store_raw %y, %s, %i
    continue[0]
  }
  return %y
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 2
  %4: f64 = const 0.5
  %5: i64 = dim[0] %0
  %6: array<f64, 1> in m1 = zeros %5
  for %3, %5, %2 !r m0|m1 !w m1 {
  (%7: i64):
    %8: i64 = sub %7, %2
    %9: i64 = sub %7, %3
    %10: f64 = load_raw %6, %8 !r m1
    %11: f64 = mul %10, %4
    %12: f64 = load_raw %6, %9 !r m1
    %13: f64 = load_raw %0, %7 !r m0
    %14: f64 = load_raw %0, %8 !r m0
    %15: f64 = add %13, %14
    %16: f64 = sub %15, %12
    %17: f64 = add %16, %11
    store_raw %6, %17, %7 !w m1
    continue[0]
  }
  return %6
}
