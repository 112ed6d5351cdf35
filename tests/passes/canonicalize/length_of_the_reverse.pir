; Backwards there are as many; by two steps there are not.
; pass: canonicalize
; count: dim = 2
; run: @f([1.0, 2.0, 4.0], -1) = 3, 2
; run: @f([1.0, 2.0, 4.0], -2) = 3, 2
func @f array (%a: array<f64, 1>, %k: i64) -> (i64, i64) {
  %back: i64 = const -1
  %two: i64 = const 2
  %r: array<f64, 1> = view[::step] %a, %back
  %s: array<f64, 1> = view[::step] %a, %two
  %n: i64 = dim[0] %r
  %m: i64 = dim[0] %s
  return %n, %m
}
