; pass: lower
; count: matmul = 1
; count: matmul in loops = 1
; count: if = 1
; run: @f([[1.0, 2.0], [3.0, 4.0]], 3) = [[199.0, 290.0], [435.0, 634.0]]
func @f array fast (%0: array<f64, 2>, %1: i64) -> (array<f64, 2>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 2> = for %2, %1, %3, %0 {
  (%5: i64, %6: array<f64, 2>):
    %7: array<f64, 2> = matmul %6, %0
    continue[0] %7
  }
  return %4
}
