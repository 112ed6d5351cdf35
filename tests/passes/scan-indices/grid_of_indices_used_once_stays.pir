; Each element has an index of its own: a second walk over these would cost more than the checks.
; pass: scan-indices
; count: for = 2
; run: @f([1.0, 2.0], [[1, 0], [1, 1]]) = [[2.0, 1.0], [2.0, 2.0]]
; run: @f([1.0, 2.0], [[1, 0], [2, 1]]) raises IndexError
func @f loop fast (%a: array<f64, 1>, %index: array<i64, 2>) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %h: i64 = dim[0] %a
  %n: i64 = dim[0] %index
  %m: i64 = dim[1] %index
  %t: array<f64, 2> = empty %n, %m
  for %zero, %n, %one {
  (%i: i64):
    for %zero, %m, %one {
    (%j: i64):
      %r: i64 = load_raw %index, %i, %j
      %ru: u64 = cast %r
      %hu: u64 = cast %h
      %rok: bool = lt %ru, %hu
      check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %rok, %r, %h
      %x: f64 = load_raw %a, %r
      store_raw %t, %x, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %t
}
