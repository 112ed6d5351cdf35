; Another store may be to the same element: only what it stored is known. Another load may see the first one.
; pass: stored-elements
; count: load_raw = 1
; count: store_raw = 3
; run: @f([2.0, 3.0, 0.5], 1, 1) = 5.0
; run: @f([2.0, 3.0, 0.5], 1, 2) = 12.0
func @f loop fast (%0: array<f64, 1>, %1: i64, %2: i64) -> (f64) {
  %3: f64 = const 7.0
  %4: f64 = const 5.0
  store_raw %0, %3, %1
  store_raw %0, %4, %2
  %5: f64 = load_raw %0, %1
  %6: f64 = load_raw %0, %2
  store_raw %0, %6, %1
  %7: bool = eq %1, %2
  %8: f64 = add %5, %6
  %9: f64 = select %7, %5, %8
  return %9
}
