; A loop around carries the copy that the iteration writes: only one of the two names is written, and memory does not tell them apart.
; pass: prove-pfor
; remark: this `pfor` runs in order, on one thread: an iteration may read an element of an array that another one writes
; run: @f([1.0, 2.0], 3) = [8.0, 2.0]
; run: @f([1.0, 2.0], 0) = [1.0, 2.0]
func @f array (%a: array<f64, 1>, %n: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %r: array<f64, 1> = for %zero, %n, %one, %a {
  (%t: i64, %before: array<f64, 1>):
    %after: array<f64, 1> = copy %before
    pfor %zero, %one, %one {
    (%i: i64):
      %x: f64 = load %before, %i
      %y: f64 = add %x, %x
      store %after, %y, %i
      continue[0]
    }
    continue[0] %after
  }
  return %r
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 1> in m0|m1 = for %2, %1, %3, %0 !r m0|m1 !w m1 {
  (%5: i64, %6: array<f64, 1> in m0|m1):
    %7: array<f64, 1> in m1 = copy %6 !r m0|m1
    for %2, %3, %3 !r m0|m1 !w m1 {
    (%8: i64):
      %9: f64 = load %6, %8 !r m0|m1
      %10: f64 = add %9, %9
      store %7, %10, %8 !w m1
      continue[0]
    }
    continue[0] %7
  }
  return %4
}
