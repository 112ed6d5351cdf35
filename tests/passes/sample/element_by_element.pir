; Of the product of two matrices only the elements are computed that are asked for, if these are few.
; pass: sample
; count: matmul = 1
; count: call = 2
; count: if = 1
; run: @f([0, 7], [2.0, 4.0], [[1.0], [2.0]], [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]]) = [-2.0, -32.0]
; run: @f([0, 1], [2.0, 4.0], [[1.0], [2.0]], [[1.0, 2.0]]) = [-2.0, -8.0]
; run: @f([0, 1], [2.0, 4.0], [[1.0], [2.0]], [[1.0, 2.0], [0.0, 0.0]]) raises ValueError
func @times array operation "times" (%0: array<i64, 1>, %1: array<f64, 1>, %2: array<f64, 2>, %3: i64, %4: i64) -> (array<f64, 1>) {
  %5: array<f64, 2> = broadcast_to %2, %3, %4
  %6: i64 = dim[0] %0
  %7: array<f64, 1> = empty %6
  %8: i64 = const 0
  %9: i64 = const 1
  for %8, %6, %9 {
  (%10: i64):
    %11: i64 = load %0, %10
    %12: f64 = load %5, %8, %11
    %13: f64 = load %1, %10
    %14: f64 = mul %12, %13
    store %7, %14, %10
    continue[0]
  }
  return %7
}

func @f array (%0: array<i64, 1>, %1: array<f64, 1>, %2: array<f64, 2>, %3: array<f64, 2>) -> (array<f64, 1>) {
  %4: array<f64, 2> = matmul %2, %3
  %5: array<f64, 2> = neg %4
  %6: i64 = dim[0] %2
  %7: i64 = dim[1] %3
  %8: array<f64, 1> = call[@times] %0, %1, %5, %6, %7
  return %8
}
