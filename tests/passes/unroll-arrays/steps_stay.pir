; Each step needs neighbours of the one before.
; pass: unroll-arrays
; count: for = 1
; run: @f([1.0, 2.0, 4.0, 8.0]) = [27.0]
func @f array (%x: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %three: i64 = const 3
  %out: array<f64, 1> = for %zero, %three, %one, %x {
  (%k: i64, %s: array<f64, 1>):
    %n: i64 = dim[0] %s
    %m: i64 = sub %n, %one
    %a: array<f64, 1> = view[start:stop] %s, %zero, %m
    %b: array<f64, 1> = view[start:stop] %s, %one, %n
    %t: array<f64, 1> = add %a, %b
    continue[0] %t
  }
  return %out
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 3
  %4: array<f64, 1> in m0|m1 = for %1, %3, %2, %0 !r m0|m1 {
  (%5: i64, %6: array<f64, 1> in m0|m1):
    %7: i64 = dim[0] %6
    %8: i64 = sub %7, %2
    %9: array<f64, 1> in m0|m1 = view[start:stop] %6, %1, %8
    %10: array<f64, 1> in m0|m1 = view[start:stop] %6, %2, %7
    %11: array<f64, 1> in m1 = add %9, %10 !r m0|m1
    continue[0] %11
  }
  return %4
}
