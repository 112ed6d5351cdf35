; The new array has a name of its own.
; pass: rebind
; count: assign = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]], 1) = [[2.0, 4.0], [5.0, 10.0]], [[7.0, 4.0], [5.0, 10.0]]
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (array<f64, 2>, array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %u: array<f64, 2> = copy %a

  %seven: f64 = const 7.0
  %last: array<f64, 2> = for %zero, %steps, %one, %a {
  (%t: i64, %other: array<f64, 2>):
    %row: array<f64, 1> = view[at] %u, %zero
    %new: array<f64, 2> = add %u, %row
    assign %u, %new
    store %new, %seven, %zero, %zero
    continue[0] %new
  }
  return %u, %last
}
