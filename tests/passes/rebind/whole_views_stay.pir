; A view of all elements is of none but those at their own places.
; pass: rebind
; count: assign = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]], 2) = [[4.0, 8.0], [16.0, 32.0]]
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %u: array<f64, 2> = copy %a
  for %zero, %steps, %one {
  (%t: i64):
    %all: array<f64, 2> = view[:, :] %u
    %new: array<f64, 2> = add %u, %all
    assign %u, %new
    continue[0]
  }
  return %u
}
