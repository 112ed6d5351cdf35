; How far two indices are apart is not known.
; pass: unroll
; count: for = 1
; run: @f([1.0, 2.0, 4.0], 0, 1) = 5.0
func @f loop fast (%a: array<f64, 1>, %i: i64, %n: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %stop: i64 = add %n, %one
  %length: i64 = sub %stop, %i
  %t: array<f64, 1> = empty %length
  for %zero, %length, %one {
  (%j: i64):
    %k: i64 = add %i, %j
    %x: f64 = load_raw %a, %k
    %y: f64 = mul %x, %x
    store_raw %t, %y, %j
    continue[0]
  }
  %first: f64 = load_raw %t, %zero
  %second: f64 = load_raw %t, %one
  %sum: f64 = add %first, %second
  return %sum
}
