; Nothing is left out of a product times itself.
; pass: mask-products
; count: call = 2
; run: @f([0, 1], [0], [1.5], 1, 1, [0, 1], [0], [2.5], 1, 1) = [9.0]
func @product array operation "product" (%0: array<i32, 1>, %1: array<i32, 1>, %2: array<f64, 1>, %3: i64, %4: i64, %5: array<i32, 1>, %6: array<i32, 1>, %7: array<f64, 1>, %8: i64, %9: i64) -> (array<i32, 1>, array<i32, 1>, array<f64, 1>, i64, i64) {
  %10: array<i32, 1> = copy %0
  %11: array<i32, 1> = copy %1
  %12: f64 = const 2.0
  %13: array<f64, 1> = mul %2, %12
  return %10, %11, %13, %3, %4
}

func @times_entries array operation "times_entries" (%0: array<i32, 1>, %1: array<i32, 1>, %2: array<f64, 1>, %3: i64, %4: i64, %5: array<i32, 1>, %6: array<i32, 1>, %7: array<f64, 1>, %8: i64, %9: i64) -> (array<i32, 1>, array<i32, 1>, array<f64, 1>, i64, i64) {
  %10: array<i32, 1> = copy %0
  %11: array<i32, 1> = copy %1
  %12: f64 = const 3.0
  %13: array<f64, 1> = mul %2, %12
  return %10, %11, %13, %3, %4
}

func @masked_product array operation "masked_product" (%0: array<i32, 1>, %1: array<i32, 1>, %2: array<f64, 1>, %3: i64, %4: i64, %5: array<i32, 1>, %6: array<i32, 1>, %7: array<f64, 1>, %8: i64, %9: i64, %10: array<i32, 1>, %11: array<i32, 1>, %12: array<f64, 1>, %13: i64, %14: i64) -> (array<i32, 1>, array<i32, 1>, array<f64, 1>, i64, i64) {
  %15: array<i32, 1> = copy %0
  %16: array<i32, 1> = copy %1
  %17: f64 = const 6.0
  %18: array<f64, 1> = mul %2, %17
  return %15, %16, %18, %3, %4
}

func @f array (%0: array<i32, 1>, %1: array<i32, 1>, %2: array<f64, 1>, %3: i64, %4: i64, %5: array<i32, 1>, %6: array<i32, 1>, %7: array<f64, 1>, %8: i64, %9: i64) -> (array<f64, 1>) {
  %10: array<i32, 1>, %11: array<i32, 1>, %12: array<f64, 1>, %13: i64, %14: i64 = call[@product] %0, %1, %2, %3, %4, %0, %1, %2, %3, %4
  %15: array<i32, 1>, %16: array<i32, 1>, %17: array<f64, 1>, %18: i64, %19: i64 = call[@times_entries] %10, %11, %12, %13, %14, %10, %11, %12, %13, %14
  return %17
}
