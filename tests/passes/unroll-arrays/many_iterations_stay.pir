; Code would be long.
; pass: unroll-arrays
; count: for = 1
; run: @f([1.0]) = [10.0]
func @f array (%x: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %ten: i64 = const 10
  %n: i64 = dim[0] %x
  %none: array<f64, 1> = zeros %n
  %out: array<f64, 1> = for %zero, %ten, %one, %none {
  (%k: i64, %s: array<f64, 1>):
    %t: array<f64, 1> = add %s, %x
    continue[0] %t
  }
  return %out
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 10
  %4: i64 = dim[0] %0
  %5: array<f64, 1> in m1 = zeros %4
  %6: array<f64, 1> in m1|m2 = for %1, %3, %2, %5 !r m0|m1|m2 {
  (%7: i64, %8: array<f64, 1> in m1|m2):
    %9: array<f64, 1> in m2 = add %8, %0 !r m0|m1|m2
    continue[0] %9
  }
  return %6
}
