; One result, and a slice of it for each iteration.
; pass: take-ranges
; count: call = 1
; run: @f([1.0, 2.0, 3.0], 3) = 8.0
func @order_of array operation "order_of" (%0: array<f64, 1>, %1: i64, %2: i64) -> (array<f64, 1>) {
  %3: array<f64, 1> = view[start:stop] %0, %1, %2
  %4: f64 = const 2.0
  %5: array<f64, 1> = mul %3, %4
  return %5
}

func @f array (%0: array<f64, 1>, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = dim[0] %0
  %4: array<f64, 1> = call[@order_of] %0, %2, %3
  %5: i64 = const 1
  %6: f64 = const 0.0
  %7: f64 = for %2, %1, %5, %6 {
  (%8: i64, %9: f64):
    %10: array<f64, 1> = view[:stop] %4, %8
    %11: f64 = reduce[sum] %10
    %12: f64 = add %9, %11
    continue[0] %12
  }
  return %7
}
