; The view is made again inside, of the array, of which the iteration then touches more than its row says.
; pass: outline
; count: launch = 1
func @f loop fast device (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const -8
  %5: i64 = const 8
  %6: i64 = dim[0] %0
  %7: i64 = sub %6, %3
  %8: i64 = mul %7, %5
  %9: array<f64, 1> in m0 = raw_view %0, %8, %6, %4
  pfor[| sliced read [i ..= i], sliced read [i ..= i], sliced write [i ..= i]] %2, %6, %3, %0, %9, %1 !r m0 !w m1 {
  (%10: i64):
    %11: f64 = load_raw %0, %10 !r m0
    %12: f64 = load_raw %9, %10 !r m0
    %13: f64 = sub %11, %12
    store_raw %1, %13, %10 !w m1
    continue[0]
  }
  return
}
; ---- after
func @f loop fast device (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const -8
  %5: i64 = const 8
  %6: i64 = dim[0] %0
  %7: i64 = sub %6, %3
  %8: i64 = mul %7, %5
  %9: array<f64, 1> in m0 = raw_view %0, %8, %6, %4
  %10: i64 = const 5
  %11: bool = const true
  launch[@f.region0] %2, %6, %3, %10, %11, %0, %9, %1, %8 !r m0 !w m1
  return
}

func @f.region0 loop fast device region[| m0 sliced read [:], m0 sliced read [i], m2 sliced write [i], m3 invariant] (%0: i64, %1: i64, %2: i64, %3: i64, %4: array<f64, 1> in m0, %5: array<f64, 1> in m1, %6: array<f64, 1> in m2, %7: i64) -> () {
  %8: i64 = dim[0] %4
  %9: i64 = const -8
  %10: array<f64, 1> in m0 = raw_view %4, %7, %8, %9
  %11: i64 = const 1
  %12: i64 = const 1
  %13: i64 = const 0
  %14: i64 = add %13, %0
  %15: i64 = add %13, %1
  for %14, %15, %11 !r m0 !w m2 {
  (%16: i64):
    %17: f64 = load_raw %4, %16 !r m0
    %18: f64 = load_raw %10, %16 !r m0
    %19: f64 = sub %17, %18
    store_raw %6, %19, %16 !w m2
    continue[0]
  }
  return
}
