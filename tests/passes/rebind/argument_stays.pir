; The caller sees the update.
; pass: rebind
; count: assign = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]], 2) = [[4.0, 8.0], [7.0, 14.0]]
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  for %zero, %steps, %one {
  (%t: i64):
    %row: array<f64, 1> = view[at] %a, %zero
    %new: array<f64, 2> = add %a, %row
    assign %a, %new
    continue[0]
  }
  return %a
}
