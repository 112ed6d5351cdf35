; Where the axis is of length 1, only its first element is there; the second axis is longer than what it asks for.
; pass: canonicalize
; run: @f([1.0, 2.0, 3.0, 4.0], 2) = [1.0, 3.0]
; run: @f([1.0, 2.0, 3.0, 4.0], 1) = [1.0, 1.0]
func @f loop (%x: array<f64, 1>, %n: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %eight: i64 = const 8
  %sixteen: i64 = const 16
  %single: bool = eq %n, %one
  %stride: i64 = select %single, %zero, %sixteen
  %across: i64 = select %single, %zero, %eight
  %view: array<f64, 2> = raw_view %x, %zero, %n, %two, %stride, %across
  %y: array<f64, 1> = zeros %two
  %last: i64 = sub %n, %one
  %a: f64 = load_raw %view, %zero, %zero
  %b: f64 = load_raw %view, %last, %zero
  store_raw %y, %a, %zero
  store_raw %y, %b, %one
  return %y
}
; ---- after
func @f loop (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: i64 = const 8
  %6: i64 = const 16
  %7: bool = eq %1, %3
  %8: i64 = select %7, %2, %6
  %9: i64 = select %7, %2, %5
  %10: array<f64, 2> in m0 = raw_view %0, %2, %1, %4, %6, %9
  %11: array<f64, 1> in m1 = zeros %4
  %12: i64 = sub %1, %3
  %13: f64 = load_raw %10, %2, %2 !r m0
  %14: f64 = load_raw %10, %12, %2 !r m0
  store_raw %11, %13, %2 !w m1
  store_raw %11, %14, %3 !w m1
  return %11
}
