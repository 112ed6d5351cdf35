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
  %11: i64 = const -2
  %12: i64 = add %6, %11
  %13: array<f64, 1> in m0 = view[start:stop] %0, %9, %12
  %14: array<f64, 1> in m2 = mul %13, %10 !r m0
  %15: array<f64, 1> in m3 = add %8, %14 !r m1|m2
  %16: i64 = const 1
  %17: f64 = load %1, %16 !r m0
  %18: i64 = const -1
  %19: i64 = add %6, %18
  %20: array<f64, 1> in m0 = view[start:stop] %0, %16, %19
  %21: array<f64, 1> in m4 = mul %20, %17 !r m0
  %22: array<f64, 1> in m5 = add %15, %21 !r m3|m4
  %23: i64 = const 2
  %24: f64 = load %1, %23 !r m0
  %25: i64 = const 0
  %26: array<f64, 1> in m0 = view[start:stop] %0, %23, %6
  %27: array<f64, 1> in m6 = mul %26, %24 !r m0
  %28: array<f64, 1> in m7 = add %22, %27 !r m5|m6
  return %28
}
