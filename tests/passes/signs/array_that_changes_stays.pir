; What is negated is written to before the negative is used, or the negative itself is.
; pass: signs, dce
; count: neg = 2
; run: @operand([1.0, 2.0]) = [-64.0, -128.0]
; run: @negative([1.0, 2.0]) = [5.0, 2.0]
; run: @later([1.0, 2.0]) = [5.0, 6.0]
func @operand array (%0: array<f64, 1>) -> (array<f64, 1>) {
  %1: f64 = const 100.0
  %2: f64 = const 64.0
  %3: i64 = const 0
  %4: array<f64, 1> = copy %0
  %5: array<f64, 1> = neg %4
  store %4, %1, %3
  %6: array<f64, 1> = mul %5, %2
  return %6
}

func @negative array (%0: array<f64, 1>) -> (array<f64, 1>) {
  %1: f64 = const 5.0
  %2: i64 = const 0
  %3: array<f64, 1> = neg %0
  store %3, %1, %2
  %4: array<f64, 1> = abs %3
  return %4
}

func @later array (%0: array<f64, 1>) -> (array<f64, 1>) {
  %1: f64 = const 7.0
  %2: array<f64, 1> = copy %0
  %3: array<f64, 1> = neg %2
  %4: array<f64, 1> = sub %1, %3
  %5: array<f64, 1> = neg %4
  assign %2, %1
  %6: array<f64, 1> = abs %5
  %7: f64 = const 3.0
  %8: array<f64, 1> = sub %6, %7
  return %8
}
