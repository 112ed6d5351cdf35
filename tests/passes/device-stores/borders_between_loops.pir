; The borders that follow a loop of each step become one iteration of a loop, with the element that one of them is read from.
; pass: device-stores
; count: pfor = 2
; run: @f([1.0, 2.0, 4.0, 8.0], 1) = [4.0, 4.0, 8.0, 0.5]
func @f loop fast device (%a: array<f64, 1>, %n: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %end: f64 = const 0.5
  %length: i64 = dim[0] %a
  %last: i64 = sub %length, %one
  for %zero, %n, %one {
  (%t: i64):
    pfor[| sliced write [i]] %zero, %length, %one, %a {
    (%i: i64):
      %x: f64 = load_raw %a, %i
      %y: f64 = add %x, %x
      store_raw %a, %y, %i
      continue[0]
    }
    %border: f64 = load_raw %a, %one
    store_raw %a, %border, %zero
    store_raw %a, %end, %last
    continue[0]
  }
  return %a
}
; ---- after
func @f loop fast device (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.5
  %5: i64 = dim[0] %0
  %6: i64 = sub %5, %3
  for %2, %1, %3 !r m0 !w m0 {
  (%7: i64):
    pfor[| sliced write [i]] %2, %5, %3, %0 !r m0 !w m0 {
    (%8: i64):
      %9: f64 = load_raw %0, %8 !r m0
      %10: f64 = add %9, %9
      store_raw %0, %10, %8 !w m0
      continue[0]
    }
    %11: i64 = const 0
    %12: i64 = const 1
    %13: i64 = const 16384
    %14: i64 = const 1
    %15: i64 = dim[0] %0
    %16: i64 = min %15, %13
    %17: i64 = mul %14, %16
    %18: i64 = min %17, %13
    %19: bool = lt %18, %13
    if %19 !r m0 !w m0 {
      %20: f64 = load_raw %0, %3 !r m0
      store_raw %0, %20, %2 !w m0
      store_raw %0, %4, %6 !w m0
      yield
    } else {
      pfor[| sliced write [:]] %11, %12, %12, %0 !r m0 !w m0 {
      (%21: i64):
        %22: f64 = load_raw %0, %3 !r m0
        store_raw %0, %22, %2 !w m0
        store_raw %0, %4, %6 !w m0
        continue[0]
      }
      yield
    }
    continue[0]
  }
  return %0
}
