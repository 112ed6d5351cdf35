; It was not split into parts with arrays of their own.
; pass: outline
; count: launch = 0
; count: for = 1
; run: @f([1.0], 3) = [4.0]
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  pfor[| reduced sum] %2, %1, %3, %0 !r m0 !w m0 {
  (%5: i64):
    %6: f64 = load_raw %0, %2 !r m0
    %7: f64 = add %6, %4
    store_raw %0, %7, %2 !w m0
    continue[0]
  }
  return %0
}
