; Where a slice ends that moves with a loop is not known from the start.
; pass: expect-lengths
; count: unreachable = 0
; run: @f([1.0, 2.0, 4.0], [8.0, 16.0]) = 2
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %n: i64 = dim[0] %a
  %m: i64 = dim[0] %b
  %r: i64 = for %zero, %n, %one, %zero {
  (%i: i64, %count: i64):
    %to: i64 = add %i, %two
    %stop: i64 = min %to, %n
    %length: i64 = sub %stop, %i
    %same: bool = eq %length, %m
    %more: i64 = if %same {
      yield %one
    } else {
      yield %zero
    }
    %next: i64 = add %count, %more
    continue[0] %next
  }
  return %r
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: i64 = dim[0] %0
  %6: i64 = dim[0] %1
  %7: i64 = for %2, %5, %3, %2 {
  (%8: i64, %9: i64):
    %10: i64 = add %8, %4
    %11: i64 = min %10, %5
    %12: i64 = sub %11, %8
    %13: bool = eq %12, %6
    %14: i64 = if %13 {
      yield %3
    } else {
      yield %2
    }
    %15: i64 = add %9, %14
    continue[0] %15
  }
  return %7
}
