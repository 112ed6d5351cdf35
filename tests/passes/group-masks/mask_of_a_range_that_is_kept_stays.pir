; Somebody looks at the mask itself.
; pass: group-masks
; count: call = 1
; run: @f([0.5, 2.5], 1.0, 2) = [2, 0]
func @f array fast (%x: array<f64, 1>, %width: f64, %count: i64) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %out: array<i64, 1> = zeros %count
  for %zero, %count, %one {
  (%k: i64):
    %a: f64 = cast %k
    %low: f64 = mul %a, %width
    %next: i64 = add %k, %one
    %b: f64 = cast %next
    %high: f64 = mul %b, %width
    %above: array<bool, 1> = ge %x, %low
    %below: array<bool, 1> = lt %x, %high
    %mask: array<bool, 1> = and %above, %below
    %at: array<i64, 1> = call[@places] %mask
    %n: i64 = dim[0] %at
    store %out, %n, %k
    %first: bool = load %mask, %zero
    %number: i64 = cast %first
    %more: i64 = add %n, %number
    store %out, %more, %k
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
func @range_groups array operation "range_groups" (%x: array<f64, 1>, %lows: array<f64, 1>, %highs: array<f64, 1>, %from_low: bool, %to_high: bool, %wanted: bool) -> (array<i64, 1>, array<i64, 1>, bool) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %x
  %m: i64 = dim[0] %lows
  %length: i64 = add %m, %one
  %order: array<i64, 1> = empty %n
  %starts: array<i64, 1> = zeros %length
  %end: i64 = for %zero, %m, %one, %zero {
  (%k: i64, %from: i64):
    %low: f64 = load %lows, %k
    %high: f64 = load %highs, %k
    %to: i64 = for %zero, %n, %one, %from {
    (%i: i64, %at: i64):
      %v: f64 = load %x, %i
      %above: bool = gt %v, %low
      %is_low: bool = eq %v, %low
      %at_low: bool = and %is_low, %from_low
      %from_below: bool = or %above, %at_low
      %below: bool = lt %v, %high
      %is_high: bool = eq %v, %high
      %at_high: bool = and %is_high, %to_high
      %to_above: bool = or %below, %at_high
      %inside: bool = and %from_below, %to_above
      %has_room: bool = lt %at, %n
      %goes_in: bool = and %inside, %has_room
      if %goes_in {
        store %order, %i, %at
        yield
      } else {
        yield
      }
      %add: i64 = cast %inside
      %more: i64 = add %at, %add
      continue[0] %more
    }
    %next: i64 = add %k, %one
    store %starts, %to, %next
    continue[0] %to
  }
  %apart: bool = le %end, %n
  %made: bool = and %apart, %wanted
  return %order, %starts, %made
}
