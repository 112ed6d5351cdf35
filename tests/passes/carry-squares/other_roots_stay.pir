; One that is used otherwise, a minimum that begins elsewhere, a maximum, and one that decides in a loop that does not become lanes.
; pass: carry-squares
; count: sqrt in loops = 4
; run: @f([9.0, 4.0, 16.0]) = 2.0, 9.0, 1.0, 4.0, 2.0
; run: @f([]) = inf, 0.0, 1.0, 0.0, inf
func @f loop fast (%x: array<f64, 1>) -> (f64, f64, f64, f64, f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %inf: f64 = const inf
  %none: f64 = const 0.0
  %start: f64 = const 1.0
  %n: i64 = dim[0] %x
  %a: f64, %b: f64 = for %zero, %n, %one, %inf, %none {
  (%i1: i64, %best1: f64, %sum1: f64):
    %s1: f64 = load_raw %x, %i1
    %r1: f64 = sqrt %s1
    %m1: f64 = min %best1, %r1
    %t1: f64 = add %sum1, %r1
    continue[0] %m1, %t1
  }
  %c: f64 = for %zero, %n, %one, %start {
  (%i2: i64, %best2: f64):
    %s2: f64 = load_raw %x, %i2
    %r2: f64 = sqrt %s2
    %m2: f64 = min %best2, %r2
    continue[0] %m2
  }
  %d: f64 = for %zero, %n, %one, %none {
  (%i3: i64, %best3: f64):
    %s3: f64 = load_raw %x, %i3
    %r3: f64 = sqrt %s3
    %m3: f64 = max %best3, %r3
    continue[0] %m3
  }
  %e: f64 = for %zero, %n, %one, %inf {
  (%i4: i64, %best4: f64):
    %s4: f64 = load_raw %x, %i4
    %r4: f64 = sqrt %s4
    %less4: bool = lt %r4, %best4
    %m4: f64 = select %less4, %r4, %best4
    continue[0] %m4
  }
  return %a, %b, %c, %d, %e
}
