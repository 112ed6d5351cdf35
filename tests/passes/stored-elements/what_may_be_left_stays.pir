; Where a check fails between two stores, the caller sees the first one.
; pass: stored-elements
; count: store_raw = 2
; count: load_raw = 0
; run: @f([2.0, 3.0], 1) = 9.0
; run: @f([2.0, 3.0], -1) raises ValueError
func @f loop fast (%0: array<f64, 1>, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: f64 = const 7.0
  %4: f64 = const 2.0
  store_raw %0, %3, %2
  %5: bool = ge %1, %2
  check[ValueError, "no"] %5
  %6: f64 = load_raw %0, %2
  %7: f64 = add %6, %4
  store_raw %0, %7, %2
  return %7
}
