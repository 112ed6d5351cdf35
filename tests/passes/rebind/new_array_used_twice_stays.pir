; The new array has a name of its own.
; pass: rebind
; count: assign = 2
; run: @f([[1.0, 2.0], [4.0, 8.0]], 1) = [[5.0, 10.0], [5.0, 10.0]], [[7.0, 10.0], [5.0, 10.0]]
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (array<f64, 2>, array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %final: i64 = sub %n, %one
  %u: array<f64, 2> = copy %a

  %seven: f64 = const 7.0
  %last: array<f64, 2> = for %zero, %steps, %one, %a {
  (%t: i64, %other: array<f64, 2>):
    %row: array<f64, 2> = empty %n, %m
    for %zero, %n, %one {
    (%i: i64):
      %back: i64 = sub %final, %i
      %v: array<f64, 1> = view[at] %u, %back
      %w: array<f64, 1> = view[at] %row, %i
      assign %w, %v
      continue[0]
    }
    %new: array<f64, 2> = add %u, %row
    assign %u, %new
    store %new, %seven, %zero, %zero
    continue[0] %new
  }
  return %u, %last
}
