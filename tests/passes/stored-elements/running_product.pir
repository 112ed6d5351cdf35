; What was stored is taken as it is, and stored once.
; pass: stored-elements
; count: load_raw = 1
; count: store_raw = 1
; run: @f([2.0, 3.0, 0.5]) = [3.0, 12.0, 18.0]
func @f loop fast (%0: array<f64, 1>) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: array<f64, 1> = empty %1
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 1.0
  %6: f64 = for %3, %1, %4, %5 {
  (%7: i64, %8: f64):
    %9: f64 = load_raw %0, %7
    %10: f64 = add %5, %9
    store_raw %2, %10, %7
    %11: f64 = load_raw %2, %7
    %12: f64 = mul %8, %11
    store_raw %2, %12, %7
    continue[0] %12
  }
  return %2
}
