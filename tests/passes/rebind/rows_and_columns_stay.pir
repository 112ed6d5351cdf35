; Of a row and a column, which are all that is read, copies are less than a new array.
; pass: rebind
; count: assign = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]], 2) = [[6.0, 12.0], [24.0, 48.0]]
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %u: array<f64, 2> = copy %a
  for %zero, %steps, %one {
  (%t: i64):
    %row: array<f64, 1> = view[at] %u, %zero
    %column: array<f64, 2> = view[:, start:stop] %u, %zero, %one
    %product: array<f64, 2> = mul %column, %row
    %new: array<f64, 2> = add %u, %product
    assign %u, %new
    continue[0]
  }
  return %u
}
