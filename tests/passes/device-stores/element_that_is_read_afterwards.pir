; What other code uses is read by the processor, before the stores; what is read behind a store is in the way of the next one.
; pass: device-stores
; count: pfor = 3
; run: @f([1.0, 2.0, 4.0]) = 12.0
func @f loop fast device (%a: array<f64, 1>) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %length: i64 = dim[0] %a
  pfor[| sliced write [i]] %zero, %length, %one, %a {
  (%i: i64):
    %v: f64 = load_raw %a, %i
    %w: f64 = add %v, %v
    store_raw %a, %w, %i
    continue[0]
  }
  %x: f64 = load_raw %a, %one
  store_raw %a, %x, %zero
  %y: f64 = load_raw %a, %zero
  store_raw %a, %y, %two
  %z: f64 = load_raw %a, %two
  %s: f64 = add %x, %y
  %t: f64 = add %s, %z
  return %t
}
; ---- after
func @f loop fast device (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 2
  %4: i64 = dim[0] %0
  pfor[| sliced write [i]] %1, %4, %2, %0 !r m0 !w m0 {
  (%5: i64):
    %6: f64 = load_raw %0, %5 !r m0
    %7: f64 = add %6, %6
    store_raw %0, %7, %5 !w m0
    continue[0]
  }
  %8: f64 = load_raw %0, %2 !r m0
  %9: i64 = const 0
  %10: i64 = const 1
  pfor[| sliced write [:]] %9, %10, %10, %0 !w m0 {
  (%11: i64):
    store_raw %0, %8, %1 !w m0
    continue[0]
  }
  %12: f64 = load_raw %0, %1 !r m0
  %13: i64 = const 0
  %14: i64 = const 1
  pfor[| sliced write [:]] %13, %14, %14, %0 !w m0 {
  (%15: i64):
    store_raw %0, %12, %3 !w m0
    continue[0]
  }
  %16: f64 = load_raw %0, %3 !r m0
  %17: f64 = add %8, %12
  %18: f64 = add %17, %16
  return %18
}
