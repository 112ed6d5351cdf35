; Both views capture memory of one number; the table is about the whole array, which comes first.
; pass: outline
; count: launch = 1
; count: address = 0
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 8
  %5: array<f64, 1> in m0 = raw_view %0, %2, %1, %4
  %6: array<f64, 1> in m0 = raw_view %0, %4, %1, %4
  pfor[| sliced write [i ..= i]] %2, %1, %3, %0 !r m0 !w m0 {
  (%7: i64):
    %8: f64 = load_raw %5, %7 !r m0
    store_raw %6, %8, %7 !w m0
    continue[0]
  }
  return
}
