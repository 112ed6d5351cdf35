; What the program calls parallel is; never two of a nest.
; pass: auto-parallel
; count: pfor = 1
; count: for = 1
func @f loop fast (%0: array<f64, 2> in m0) -> () {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  %4: i64 = dim[1] %0
  %5: f64 = const 5.0
  for %1, %3, %2 !w m0 {
  (%6: i64):
    pfor[| sliced write [v1, i]] %1, %4, %2, %0, %6 !w m0 {
    (%7: i64):
      store_raw %0, %5, %6, %7 !w m0
      continue[0]
    }
    continue[0]
  }
  return
}
