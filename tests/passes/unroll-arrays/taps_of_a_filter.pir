; All of them are seen at once.
; pass: unroll-arrays
; count: for = 0
; count: add = 5
; run: @f([1.0, 2.0, 3.0, 4.0], [1.0, 10.0, 100.0]) = [321.0, 432.0]
; run: @f([1.0, 2.0, 3.0, 4.0], [1.0, 10.0]) raises IndexError
func @f array (%x: array<f64, 1>, %w: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %three: i64 = const 3
  %n: i64 = dim[0] %x
  %m: i64 = sub %n, %two
  %none: array<f64, 1> = zeros %m
  %out: array<f64, 1> = for %zero, %three, %one, %none {
  (%k: i64, %s: array<f64, 1>):
    %c: f64 = load %w, %k
    %end: i64 = add %m, %k
    %v: array<f64, 1> = view[start:stop] %x, %k, %end
    %p: array<f64, 1> = mul %v, %c
    %t: array<f64, 1> = add %s, %p
    continue[0] %t
  }
  return %out
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: i64 = const 3
  %6: i64 = dim[0] %0
  %7: i64 = sub %6, %4
  %8: array<f64, 1> in m1 = zeros %7
  %9: i64 = const 0
  %10: f64 = load %1, %9 !r m0
  %11: array<f64, 1> in m0 = view[start:stop] %0, %9, %7
  %12: array<f64, 1> in m2 = mul %11, %10 !r m0
  %13: array<f64, 1> in m3 = add %8, %12 !r m1|m2
  %14: i64 = const 1
  %15: f64 = load %1, %14 !r m0
  %16: i64 = add %7, %14
  %17: array<f64, 1> in m0 = view[start:stop] %0, %14, %16
  %18: array<f64, 1> in m4 = mul %17, %15 !r m0
  %19: array<f64, 1> in m5 = add %13, %18 !r m3|m4
  %20: i64 = const 2
  %21: f64 = load %1, %20 !r m0
  %22: i64 = add %7, %20
  %23: array<f64, 1> in m0 = view[start:stop] %0, %20, %22
  %24: array<f64, 1> in m6 = mul %23, %21 !r m0
  %25: array<f64, 1> in m7 = add %19, %24 !r m5|m6
  return %25
}
