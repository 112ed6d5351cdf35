; (i - 1 + n) % n is (i - 1) % n. One remainder alone: all three pieces are without it.
; pass: split-ranges
; count: for = 4
; count: mod = 1
; count: select = 0
; run: @f([1.0, 2.0, 4.0, 8.0]) = [8.0, 1.0, 2.0, 4.0]
; run: @f([1.0]) = [1.0]
func @f loop fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %b: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %left: i64 = sub %i, %one
    %more: i64 = add %left, %n
    %l: i64 = mod %more, %n
    %x: f64 = load_raw %a, %l
    store_raw %b, %x, %i
    continue[0]
  }
  return %b
}
