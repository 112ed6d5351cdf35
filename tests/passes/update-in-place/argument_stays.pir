; What the loop starts from is the caller's.
; pass: update-in-place
; count: empty = 1
; run: @f([1.0, 2.0, 4.0], 1) = [2.0, 4.0, 8.0]
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %last: array<f64, 1> = for %zero, %steps, %one, %a {
  (%t: i64, %old: array<f64, 1>):
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
  return %last
}
