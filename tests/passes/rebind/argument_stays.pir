; The caller sees the update.
; pass: rebind
; count: assign = 2
; run: @f([[1.0, 2.0], [4.0, 8.0]], 2) = [[10.0, 20.0], [10.0, 20.0]]
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %final: i64 = sub %n, %one
  for %zero, %steps, %one {
  (%t: i64):
    %row: array<f64, 2> = empty %n, %m
    for %zero, %n, %one {
    (%i: i64):
      %back: i64 = sub %final, %i
      %v: array<f64, 1> = view[at] %a, %back
      %w: array<f64, 1> = view[at] %row, %i
      assign %w, %v
      continue[0]
    }
    %new: array<f64, 2> = add %a, %row
    assign %a, %new
    continue[0]
  }
  return %a
}
