; Steps down; each iteration is given what the one before carries on.
; pass: unroll
; count: for = 0
; run: @f([1.0, 2.0, 4.0]) = 7.0, 4.0
func @f loop fast (%a: array<f64, 1>) -> (f64, f64) {
  %zero: i64 = const 0
  %minus: i64 = const -1
  %three: i64 = const 3
  %two: i64 = const 2
  %half: f64 = const 0.5
  %start: f64 = const 0.0
  %t: array<f64, 1> = zeros %three
  %sum: f64 = for %two, %minus, %minus, %start {
  (%i: i64, %p: f64):
    %x: f64 = load_raw %a, %i
    store_raw %t, %x, %i
    %less: f64 = mul %p, %half
    %square: f64 = mul %x, %x
    %q: f64 = add %less, %square
    continue[0] %q
  }
  %last: f64 = load_raw %t, %two
  return %sum, %last
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 0
  %2: i64 = const -1
  %3: i64 = const 3
  %4: i64 = const 2
  %5: f64 = const 0.5
  %6: f64 = const 0.0
  %7: array<f64, 1> in m1 = zeros %3
  %8: i64 = const 2
  %9: f64 = load_raw %0, %8 !r m0
  store_raw %7, %9, %8 !w m1
  %10: f64 = mul %6, %5
  %11: f64 = mul %9, %9
  %12: f64 = add %10, %11
  %13: i64 = const 1
  %14: f64 = load_raw %0, %13 !r m0
  store_raw %7, %14, %13 !w m1
  %15: f64 = mul %12, %5
  %16: f64 = mul %14, %14
  %17: f64 = add %15, %16
  %18: i64 = const 0
  %19: f64 = load_raw %0, %18 !r m0
  store_raw %7, %19, %18 !w m1
  %20: f64 = mul %17, %5
  %21: f64 = mul %19, %19
  %22: f64 = add %20, %21
  %23: f64 = load_raw %7, %4 !r m1
  return %22, %23
}
