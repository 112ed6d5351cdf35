; A slice from %i - 1 to %i + 2 has three elements.
; pass: unroll
; count: for = 0
; count: store_raw = 3
; run: @f([1.0, 2.0, 4.0], 1) = 5.0
func @f loop fast (%a: array<f64, 1>, %i: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %start: i64 = sub %i, %one
  %stop: i64 = add %two, %i
  %length: i64 = sub %stop, %start
  %t: array<f64, 1> = empty %length
  for %zero, %length, %one {
  (%j: i64):
    %k: i64 = add %start, %j
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
