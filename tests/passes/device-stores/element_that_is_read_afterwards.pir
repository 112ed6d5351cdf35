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
  %11: i64 = const 16384
  %12: i64 = const 1
  %13: i64 = dim[0] %0
  %14: i64 = min %13, %11
  %15: i64 = mul %12, %14
  %16: i64 = min %15, %11
  %17: bool = lt %16, %11
  if %17 !w m0 {
    store_raw %0, %8, %1 !w m0
    yield
  } else {
    pfor[| sliced write [:]] %9, %10, %10, %0 !w m0 {
    (%18: i64):
      store_raw %0, %8, %1 !w m0
      continue[0]
    }
    yield
  }
  %19: f64 = load_raw %0, %1 !r m0
  %20: i64 = const 0
  %21: i64 = const 1
  %22: i64 = const 16384
  %23: i64 = const 1
  %24: i64 = dim[0] %0
  %25: i64 = min %24, %22
  %26: i64 = mul %23, %25
  %27: i64 = min %26, %22
  %28: bool = lt %27, %22
  if %28 !w m0 {
    store_raw %0, %19, %3 !w m0
    yield
  } else {
    pfor[| sliced write [:]] %20, %21, %21, %0 !w m0 {
    (%29: i64):
      store_raw %0, %19, %3 !w m0
      continue[0]
    }
    yield
  }
  %30: f64 = load_raw %0, %3 !r m0
  %31: f64 = add %8, %19
  %32: f64 = add %31, %30
  return %32
}
