; Iterations that run at once need an array each.
; pass: hoist-arrays
; count: empty in loops = 1
; run: @f([1.0, -2.0]) = [2.0, -4.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  pfor %zero, %n, %one {
  (%i: i64):
    %t: array<f64, 1> = empty %n
    %x: f64 = load_raw %a, %i
    store_raw %t, %x, %zero
    %y: f64 = load_raw %t, %zero
    %z: f64 = add %x, %y
    store_raw %a, %z, %i
    continue[0]
  }
  return %a
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  pfor %2, %1, %3 !r m0|m1 !w m0|m1 {
  (%4: i64):
    %5: array<f64, 1> in m1 = empty %1
    %6: f64 = load_raw %0, %4 !r m0
    store_raw %5, %6, %2 !w m1
    %7: f64 = load_raw %5, %2 !r m1
    %8: f64 = add %6, %7
    store_raw %0, %8, %4 !w m0
    continue[0]
  }
  return %0
}
