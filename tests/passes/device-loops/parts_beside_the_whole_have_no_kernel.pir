; The loop is there as a whole for a device, and in parts for the processor.
; pass: outline, device-loops
; count: launch = 2
; count: device_wanted = 1
; run: @f([1, 2], 3) = [4, 2]
func @f loop fast device (%0: array<i64, 1> in m0, %1: i64) -> (array<i64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: bool = device_wanted
  if %4 !r m0 !w m0 {
    pfor[| reduced sum] %2, %1, %3, %0 !r m0 !w m0 {
    (%5: i64):
      update_raw[sum] %0, %3, %2 !r m0 !w m0
      continue[0]
    }
    yield
  } else {
    pfor[| sliced write [i]] %2, %3, %3, %0 !r m0 !w m0 {
    (%6: i64):
      %8: i64 = load_raw %0, %6 !r m0
      %9: i64 = add %8, %1
      store_raw %0, %9, %6 !w m0
      continue[0]
    }
    yield
  }
  return %0
}
; ---- after
func @f loop fast device (%0: array<i64, 1> in m0, %1: i64) -> (array<i64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: bool = device_wanted
  if %4 !r m0 !w m0 {
    %5: i64 = const 2
    %6: bool = const true
    launch[@f.region0] %2, %1, %3, %5, %6, %0 !r m0 !w m0
    yield
  } else {
    %7: i64 = const 4
    %8: bool = const true
    launch[@f.region1] %2, %3, %3, %7, %8, %0, %1 !r m0 !w m0
    yield
  }
  return %0
}

func @f.region1 loop fast region[| m0 sliced write [i], m1 invariant] (%0: i64, %1: i64, %2: i64, %3: i64, %4: array<i64, 1> in m0, %5: i64) -> () {
  %6: i64 = const 1
  %7: i64 = const 1
  %8: i64 = const 0
  %9: i64 = add %8, %0
  %10: i64 = add %8, %1
  for %9, %10, %6 !r m0 !w m0 {
  (%11: i64):
    %12: i64 = load_raw %4, %11 !r m0
    %13: i64 = add %12, %5
    store_raw %4, %13, %11 !w m0
    continue[0]
  }
  return
}

func @f.region0 loop fast device region[| m0 reduced sum] (%0: i64, %1: i64, %2: i64, %3: i64, %4: array<i64, 1> in m0) -> () {
  %5: i64 = const 1
  %6: i64 = const 0
  %7: i64 = const 1
  %8: i64 = const 1
  %9: i64 = const 0
  %10: i64 = add %9, %0
  %11: i64 = add %9, %1
  for %10, %11, %7 !r m0 !w m0 {
  (%12: i64):
    update_raw[sum] %4, %5, %6 !r m0 !w m0
    continue[0]
  }
  return
}
