; Both parameters may be one array: whether parts run at once is decided when the function is called.
; pass: outline
; count: launch = 1
; count: address = 2
; run: @f([1.0, 2.0, 3.0], [0.0, 0.0, 0.0]) = 3
func @f loop general (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  pfor[| invariant, sliced write [i]] %2, %4, %3, %0, %1 !r m0 !w m0 {
  (%5: i64):
    %6: f64 = load_raw %0, %5 !r m0
    store_raw %1, %6, %5 !w m0
    continue[0]
  }
  return %4
}
