; The old array is summed up when the new one is there already.
; pass: update-in-place
; count: empty = 3
; run: @f([1.0, 2.0], 2) = [10.0, 11.0]
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %n: i64 = dim[0] %a
  %first: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    store_raw %first, %x, %i
    continue[0]
  }
  %last: array<f64, 1>, %total: f64 = for %zero, %steps, %one, %first, %start {
  (%t: i64, %old: array<f64, 1>, %before: f64):
    %new: array<f64, 1> = empty %n
    for %zero, %n, %one {
    (%j: i64):
      %y: f64 = load_raw %old, %j
      %z: f64 = add %y, %before
      store_raw %new, %z, %j
      continue[0]
    }
    %sum: f64 = for %zero, %n, %one, %before {
    (%k: i64, %s: f64):
      %v: f64 = load_raw %old, %k
      %w: f64 = add %s, %v
      continue[0] %w
    }
    continue[0] %new, %sum
  }
  %result: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%m: i64):
    %q: f64 = load_raw %last, %m
    %r: f64 = add %q, %total
    store_raw %result, %r, %m
    continue[0]
  }
  return %result
}
