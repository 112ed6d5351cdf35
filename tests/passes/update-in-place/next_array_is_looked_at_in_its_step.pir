; What is loaded of the next array is loaded where it was stored, or behind the whole of it.
; pass: update-in-place
; count: empty = 1
; run: @f([1.0, 2.0], 2) = [4.0, 8.0], 18.0
; run: @f([1.0], 0) = [1.0], 0.0
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<f64, 1>, f64) {
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
      %z: f64 = add %y, %y
      store_raw %new, %z, %j
      %again: f64 = load_raw %new, %j
      store_raw %a, %again, %j
      continue[0]
    }
    %sum: f64 = for %zero, %n, %one, %before {
    (%k: i64, %s: f64):
      %v: f64 = load_raw %new, %k
      %w: f64 = add %s, %v
      continue[0] %w
    }
    continue[0] %new, %sum
  }
  return %last, %total
}
