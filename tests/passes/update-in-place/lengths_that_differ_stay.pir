; Before a step reads what the loop starts from it complains that this is too short.
; pass: update-in-place
; count: empty = 1
; run: @f([1.0, 2.0], [1.0, 1.0], 2) = [3.0, 4.0]
; run: @f([1.0], [1.0, 1.0, 1.0, 1.0], 2) raises ValueError
; run: @f([1.0], [1.0, 1.0, 1.0, 1.0], 0) = [1.0]
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %b
  %m: i64 = dim[0] %a
  %same: bool = eq %m, %n
  %last: array<f64, 1> = for %zero, %steps, %one, %a {
  (%t: i64, %old: array<f64, 1>):
    check[ValueError, "operands could not be broadcast together"] %same
    %new: array<f64, 1> = empty %n
    for %zero, %n, %one {
    (%j: i64):
      %y: f64 = load_raw %old, %j
      %x: f64 = load_raw %b, %j
      %z: f64 = add %y, %x
      store_raw %new, %z, %j
      continue[0]
    }
    continue[0] %new
  }
  return %last
}
