; Each element needs only itself: in place is as good.
; pass: rebind
; count: assign = 1
; run: @f([[1.0, 2.0]], 2) = [[4.0, 8.0]]
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %minus: i64 = const -1
  %u: array<f64, 2> = copy %a

  for %zero, %steps, %one {
  (%t: i64):
    %new: array<f64, 2> = add %u, %u
    assign %u, %new
    continue[0]
  }
  return %u
}
