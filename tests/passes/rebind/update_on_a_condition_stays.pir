; Not every step updates.
; pass: rebind
; count: assign = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]], 3) = [[4.0, 8.0], [7.0, 14.0]]
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %u: array<f64, 2> = copy %a

  for %zero, %steps, %one {
  (%t: i64):
    %is: bool = ne %t, %one
    if %is {
      %row: array<f64, 1> = view[at] %u, %zero
      %new: array<f64, 2> = add %u, %row
      assign %u, %new
      yield
    } else {
      yield
    }
    continue[0]
  }
  return %u
}
