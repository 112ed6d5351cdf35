; pass: split-index
; count: select = 1
; count: if = 0
; run: @f([1.0, 2.0, 4.0], -1) = 4.0
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = add %1, %2
  %4: i64 = const 0
  %5: bool = lt %1, %4
  %6: i64 = select %5, %3, %1
  %7: u64 = cast %6
  %8: u64 = cast %2
  %9: bool = lt %7, %8
  check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %9, %1, %2
  %10: f64 = load_raw %0, %6 !r m0
  return %10
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = add %1, %2
  %4: i64 = const 0
  %5: bool = lt %1, %4
  %6: i64 = select %5, %3, %1
  %7: u64 = cast %6
  %8: u64 = cast %2
  %9: bool = lt %7, %8
  check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %9, %1, %2
  %10: f64 = load_raw %0, %6 !r m0
  return %10
}
