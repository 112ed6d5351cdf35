; A row of before the loop shows the updates behind it.
; pass: rebind
; count: assign = 0
; run: @f([[1.0, 2.0], [4.0, 8.0]], 2) = 4.0
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %u: array<f64, 2> = copy %a

  %row: array<f64, 1> = view[at] %u, %zero
  for %zero, %steps, %one {
  (%t: i64):
    %first: array<f64, 1> = view[at] %u, %zero
    %new: array<f64, 2> = add %u, %first
    assign %u, %new
    continue[0]
  }
  %x: f64 = load %row, %zero
  return %x
}
