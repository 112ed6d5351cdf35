; What the loop starts from is written to in its first step, before that reads it.
; pass: update-in-place
; count: empty = 1
; run: @f([1.0, 2.0, 4.0], 2) = [26.0, 10.0, 18.0]
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: f64 = const 2.0
  %six: f64 = const 6.0
  %n: i64 = dim[0] %a
  %last: array<f64, 1> = for %zero, %steps, %one, %a {
  (%t: i64, %old: array<f64, 1>):
    store_raw %a, %six, %zero
    %new: array<f64, 1> = empty %n
    for %zero, %n, %one {
    (%j: i64):
      %y: f64 = load_raw %old, %j
      %z: f64 = add %y, %y
      store_raw %new, %z, %j
      continue[0]
    }
    continue[0] %new
  }
  for %zero, %n, %one {
  (%k: i64):
    %x: f64 = load_raw %last, %k
    %w: f64 = add %x, %two
    store_raw %last, %w, %k
    continue[0]
  }
  return %last
}
