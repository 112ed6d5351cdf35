; Each iteration writes an element of its own.
; pass: auto-parallel
; count: pfor = 1
; run: @f([1.0, 2.0], [0.0, 0.0]) = [2.0, 4.0]
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  for %2, %4, %3 !r m0 !w m1 {
  (%5: i64):
    %6: f64 = load_raw %0, %5 !r m0
    %7: f64 = add %6, %6
    store_raw %1, %7, %5 !w m1
    continue[0]
  }
  return %1
}
