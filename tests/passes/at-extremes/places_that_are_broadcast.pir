; As a program has it: indices are broadcast to a length that is known by shapes alone, through a view of places that were kept.
; pass: at-extremes, dce
; count: reduce = 2
; run: @f([[3.0, -1.0, 1.0], [nan, 2.0, -2.0]], [[1.0], [2.0]]) = [4.0, nan]
func @f array fast (%a: array<f64, 2>, %b: array<f64, 2>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %p: array<f64, 2> = add %a, %b
  %q: array<f64, 2> = abs %p
  %d: array<f64, 2> = sqrt %q
  %e: array<f64, 2> = mul %d, %d
  %at: array<i64, 1> = reduce[argmax axes 1] %e
  %m: i64 = dim[0] %at
  %n: i64 = dim[0] %p
  %zeros: array<i64, 1> = iota %zero, %one, %n
  %k: i64 = dim[0] %zeros
  %is_one: bool = eq %k, %one
  %length: i64 = select %is_one, %m, %k
  %rows: array<i64, 1> = broadcast_to %zeros, %length
  %places: array<i64, 1> = broadcast_to %at, %length
  %out: array<f64, 1> = empty %length
  for %zero, %length, %one {
  (%l: i64):
    %i: i64 = load %rows, %l
    %j: i64 = load %places, %l
    %x: f64 = load %e, %i, %j
    store %out, %x, %l
    continue[0]
  }
  return %out
}
