; Another store in the loop would be passed.
; pass: sink-stores
; count: store_raw = 2
func @f loop fast (%0: array<f64, 1>, %1: i64) -> (array<i64, 1>) {
  %2: i64 = dim[0] %0
  %3: array<i64, 1> = zeros %2
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 3.0
  for %4, %2, %5 {
  (%7: i64):
    %8: f64 = load_raw %0, %7
    %9: f64 = for %4, %1, %5, %8 {
    (%10: i64, %11: f64):
      store_raw %3, %4, %7
      %12: bool = gt %11, %6
      if %12 {
        store_raw %3, %10, %7
        break[0] %11
      } else {
        yield
      }
      %13: f64 = mul %11, %11
      continue[0] %13
    }
    continue[0]
  }
  return %3
}
