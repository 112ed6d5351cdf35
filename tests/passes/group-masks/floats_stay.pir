; Of floats there are numbers that equal none.
; pass: group-masks
; count: call = 1
; run: @f([1.0, 2.0, 1.0], 4) = [0, 2, 1, 0]
func @f array fast (%labels: array<f64, 1>, %k: i64) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %out: array<i64, 1> = zeros %k
  for %zero, %k, %one {
  (%c: i64):
    %label: f64 = cast %c
    %mask: array<bool, 1> = eq %labels, %label
    %at: array<i64, 1> = call[@places] %mask
    %m: i64 = dim[0] %at
    store %out, %m, %c
    continue[0]
  }
  return %out
}
func @places array operation "flatnonzero" (%mask: array<bool, 1>) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %mask
  %numbers: array<i64, 1> = cast %mask
  %m: i64 = reduce[sum] %numbers
  %at: array<i64, 1> = empty %m
  %end: i64 = for %zero, %n, %one, %zero {
  (%i: i64, %k: i64):
    %is: bool = load %mask, %i
    %next: i64 = if %is {
      store %at, %i, %k
      %more: i64 = add %k, %one
      yield %more
    } else {
      yield %k
    }
    continue[0] %next
  }
  return %at
}
func @groups array operation "groups" (%labels: array<i64, 1>) -> (array<i64, 1>, array<i64, 1>, i64, i64, bool) {
  %zero: i64 = const 0
  %yes: bool = const false
  %n: i64 = dim[0] %labels
  %order: array<i64, 1> = empty %n
  argsort %labels, %order
  %keys: array<i64, 1> = empty %n
  %one: i64 = const 1
  for %zero, %n, %one {
  (%i: i64):
    %at: i64 = load %order, %i
    %label: i64 = load %labels, %at
    store %keys, %label, %i
    continue[0]
  }
  return %order, %keys, %zero, %zero, %yes
}
func @group array operation "group" (%keys: array<i64, 1>, %low: i64, %high: i64, %dense: bool, %label: i64) -> (i64, i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %keys
  %a: i64, %b: i64 = for %zero, %n, %one, %zero, %zero {
  (%i: i64, %less: i64, %most: i64):
    %key: i64 = load %keys, %i
    %below: bool = lt %key, %label
    %upto: bool = le %key, %label
    %x: i64 = cast %below
    %y: i64 = cast %upto
    %l: i64 = add %less, %x
    %m: i64 = add %most, %y
    continue[0] %l, %m
  }
  return %a, %b
}
