; Two slices of which one begins where the whole does not.
; pass: take-ranges
; count: view = 3
; run: @f([1.0, 2.0, 3.0, 4.0], 2) = [6.0, 8.0], [2.0, 4.0]
func @order_of array operation "order_of" (%0: array<f64, 1>, %1: i64, %2: i64) -> (array<f64, 1>) {
  %3: array<f64, 1> = view[start:stop] %0, %1, %2
  %4: f64 = const 2.0
  %5: array<f64, 1> = mul %3, %4
  return %5
}

func @f array (%0: array<f64, 1>, %1: i64) -> (array<f64, 1>, array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = dim[0] %0
  %4: array<f64, 1> = call[@order_of] %0, %2, %3
  %5: array<f64, 1> = view[start:] %4, %1
  %6: array<f64, 1> = view[:stop] %4, %1
  return %5, %6
}
