; Versions for any arguments stay as small as they are.
; pass: split-ranges
; count: for = 1
; run: @f([1.0, 2.0, 4.0]) = [4.0, 1.0, 2.0]
func @f loop general (%a: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %b: array<f64, 1> = empty %n
  for %zero, %n, %one {
  (%i: i64):
    %left: i64 = sub %i, %one
    %l: i64 = mod %left, %n
    %x: f64 = load_raw %a, %l
    store_raw %b, %x, %i
    continue[0]
  }
  return %b
}
