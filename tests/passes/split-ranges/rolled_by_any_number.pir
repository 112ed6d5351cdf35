; An offset that is an argument, however large.
; pass: split-ranges
; count: for = 4
; run: @f([1.0, 2.0, 4.0, 8.0], 1) = [8.0, 1.0, 2.0, 4.0]
; run: @f([1.0, 2.0, 4.0, 8.0], -1) = [2.0, 4.0, 8.0, 1.0]
; run: @f([1.0, 2.0, 4.0, 8.0], 3) = [2.0, 4.0, 8.0, 1.0]
; run: @f([1.0, 2.0, 4.0, 8.0], 4) = [1.0, 2.0, 4.0, 8.0]
; run: @f([1.0, 2.0, 4.0, 8.0], 6) = [4.0, 8.0, 1.0, 2.0]
; run: @f([1.0, 2.0, 4.0, 8.0], -9223372036854775808) = [1.0, 2.0, 4.0, 8.0]
; run: @f([1.0, 2.0, 4.0, 8.0], 9223372036854775807) = [2.0, 4.0, 8.0, 1.0]
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %b: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %left: i64 = sub %i, %k
    %l: i64 = mod %left, %n
    %x: f64 = load_raw %a, %l
    store_raw %b, %x, %i
    continue[0]
  }
  return %b
}
