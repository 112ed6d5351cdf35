; Whose rows are apart is known where the pointers rise, which nobody tests.
; pass: fuse-loops
; count: for = 4
; run: @f(4, [0, 3, 1, 4]) = [1.0, 4.0, 4.0, 3.0]
; run: @f(2, [0, 1, 2]) = [1.0, 2.0]
func @f loop fast (%m: i64, %p: array<i64, 1>) -> (array<f64, 1>) {
  %length: i64 = dim[0] %p
  %zero: i64 = const 0
  %one: i64 = const 1
  %more: f64 = const 1.0
  %a: array<f64, 1> = zeros %m
  %n: i64 = sub %length, %one
  for %zero, %n, %one {
  (%i: i64):
    %first: i64 = load_raw %p, %i
    %next: i64 = add %i, %one
    %last: i64 = load_raw %p, %next
    %x: f64 = cast %i
    for %first, %last, %one {
    (%k: i64):
      store_raw %a, %x, %k
      continue[0]
    }
    continue[0]
  }
  for %zero, %n, %one {
  (%j: i64):
    %begin: i64 = load_raw %p, %j
    %following: i64 = add %j, %one
    %end: i64 = load_raw %p, %following
    for %begin, %end, %one {
    (%l: i64):
      %y: f64 = load_raw %a, %l
      %z: f64 = add %y, %more
      store_raw %a, %z, %l
      continue[0]
    }
    continue[0]
  }
  return %a
}
