; What the loop carries is longer in each step, so nothing is expected of it.
; pass: expect-lengths
; run: @f([1.0, 2.0], 2) = 4
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %u: array<f64, 1> = zeros %n
  %last: array<f64, 1> = for %zero, %steps, %one, %u {
  (%t: i64, %old: array<f64, 1>):
    %k: i64 = dim[0] %old
    %same: bool = eq %k, %n
    %l: i64 = if %same {
      %m: i64 = add %n, %one
      yield %m
    } else {
      %p: i64 = add %k, %one
      yield %p
    }
    %new: array<f64, 1> = zeros %l
    continue[0] %new
  }
  %r: i64 = dim[0] %last
  return %r
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %0
  %5: array<f64, 1> in m1 = zeros %4
  %6: array<f64, 1> in m1|m2 = for %2, %1, %3, %5 {
  (%7: i64, %8: array<f64, 1> in m1|m2):
    %9: i64 = dim[0] %8
    %10: bool = eq %9, %4
    %11: i64 = if %10 {
      %12: i64 = add %4, %3
      yield %12
    } else {
      %13: i64 = add %9, %3
      yield %13
    }
    %14: array<f64, 1> in m2 = zeros %11
    continue[0] %14
  }
  %15: i64 = dim[0] %6
  return %15
}
