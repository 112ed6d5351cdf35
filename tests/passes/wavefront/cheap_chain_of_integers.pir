; Integers wait for less than their work takes.
; pass: wavefront
; count: for = 2
func @f loop fast (%0: array<i64, 2>) -> () {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 1
  for %3, %1, %3 {
  (%4: i64):
    %5: i64 = sub %4, %3
    for %3, %2, %3 {
    (%6: i64):
      %7: i64 = load_raw %0, %4, %6
      %8: i64 = load_raw %0, %5, %6
      %9: i64 = sub %6, %3
      %10: i64 = load_raw %0, %4, %9
      %11: i64 = min %8, %10
      %12: i64 = add %7, %11
      store_raw %0, %12, %4, %6
      continue[0]
    }
    continue[0]
  }
  return
}
