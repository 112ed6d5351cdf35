; Loop IR: raw accesses, owners, unchecked scalar code.
func @copy loop general slots=2 (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: array<f64, 1> in m1 = empty %4
  own[slot0] %5 !w m1
  own[slot1, retain] %0
  %6: i64 = stride[0] %0
  %7: bool = is_contiguous %0
  %8: array<f64, 1> in m0 = raw_view %0, %6, %4, %6
  for %2, %4, %3 !r m0 !w m1 {
  (%9: i64):
    %10: f64 = load_raw %8, %9 !r m0
    store_raw %5, %10, %9 !w m1
    continue[0]
  }
  disown[slot1]
  sort %5 !r m1 !w m1
  return %5
}

; Updates, and the question whether a device should run them.
func @count loop fast device (%0: array<i64, 2> in m0, %1: i64) -> (bool) {
  %2: bool = device_wanted
  update_raw[sum] %0, %1, %1, %1 !r m0 !w m0
  update_raw[xor] %0, %1, %1, %1 !r m0 !w m0
  return %2
}

func @check array fast (%0: array<u32, 1> in m0, %1: i64, %2: u32) -> () {
  update[max] %0, %2, %1 !r m0 !w m0
  return
}
