; The loop within counts down, and has a step where its end is below its start.
; pass: lanes
; count: loop = 0
; run: @f([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], 2) = [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
; run: @f([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [], 0) = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
; run: @f([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [1.0, 2.0], 0) = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>, %limit: i64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %down: i64 = const -1
  %r: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %last: f64 = for %limit, %zero, %down, %x {
    (%step: i64, %y: f64):
      %z: f64 = load_raw %b, %i
      %d: f64 = sub %z, %y
      %e: f64 = mul %d, %d
      %f: f64 = add %e, %y
      %g: f64 = sub %z, %f
      %h: f64 = add %g, %f
      continue[0] %h
    }
    store_raw %r, %last, %i
    continue[0]
  }
  return %r
}
