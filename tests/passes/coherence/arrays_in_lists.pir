; An array that a device fills goes into a list, over which a loop runs that stays on the processor: it is asked for, item by item.
; pass: outline, device-loops, coherence
; count: launch = 2
; count: host_access = 1
; count: list_get = 2
; run: @f([1.0, 2.0]) = 3.0
func @f loop fast device slots=2 (%0: array<f64, 1>) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  %4: list<array<f64, 1>> = list_new
  own[slot0] %4
  %5: array<f64, 1> = empty %3
  own[slot1] %5
  pfor[| sliced write [i], sliced read [i]] %1, %3, %2, %5, %0 {
  (%6: i64):
    %7: f64 = load_raw %0, %6
    %8: f64 = add %7, %7
    store_raw %5, %8, %6
    continue[0]
  }
  list_append %4, %5
  disown[slot1]
  %9: i64 = list_len %4
  %10: array<f64, 1> = zeros %9
  pfor[| sliced write [i]] %1, %9, %2, %10 {
  (%11: i64):
    %12: array<f64, 1> = list_get %4, %11
    %13: f64 = load_raw %12, %1
    %14: f64 = add %13, %13
    %15: f64 = time
    %16: f64 = sub %15, %15
    %17: f64 = add %14, %16
    store_raw %10, %17, %11
    continue[0]
  }
  %18: f64 = load_raw %10, %1
  %19: f64 = const 1.0
  %20: f64 = sub %18, %19
  return %20
}

func @f.general loop general (%0: array<f64, 1>) -> (f64) {
  %1: f64 = const 3.0
  return %1
}

export "f"("a": array<f64, 1>) -> f64 = @f if contiguous device, @f.general
