; A loop in order that no parallel loop stands in writes an element at a time: the processor does it. So does it an array that no parallel loop touches.
; pass: device-stores
; count: pfor = 1
; run: @f([1.0, 2.0], [7.0, 8.0]) = [2.0, 2.0], [2.0, 8.0]
func @f loop fast device (%a: array<f64, 1> in m0, %b: array<f64, 1> in m1) -> (array<f64, 1>, array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: f64 = const 2.0
  %length: i64 = dim[0] %a
  pfor[| sliced write [i]] %zero, %length, %one, %a {
  (%i: i64):
    store_raw %a, %two, %i
    continue[0]
  }
  for %one, %length, %one {
  (%j: i64):
    %before: i64 = sub %j, %one
    %x: f64 = load_raw %a, %before
    store_raw %a, %x, %j
    continue[0]
  }
  store_raw %b, %two, %zero
  return %a, %b
}
; ---- after
func @f loop fast device (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>, array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 2.0
  %5: i64 = dim[0] %0
  pfor[| sliced write [i]] %2, %5, %3, %0 !w m0 {
  (%6: i64):
    store_raw %0, %4, %6 !w m0
    continue[0]
  }
  for %3, %5, %3 !r m0 !w m0 {
  (%7: i64):
    %8: i64 = sub %7, %3
    %9: f64 = load_raw %0, %8 !r m0
    store_raw %0, %9, %7 !w m0
    continue[0]
  }
  store_raw %1, %4, %2 !w m1
  return %0, %1
}
