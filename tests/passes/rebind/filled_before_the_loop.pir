; Rows are written before the loop, through views as well.
; pass: rebind
; count: assign = 3
; run: @f([[1.0, 2.0], [4.0, 8.0]], 1) = [[5.0, 10.0], [5.0, 10.0]]
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %final: i64 = sub %n, %one
  %u: array<f64, 2> = empty %n, %m
  %to: array<f64, 1> = view[at] %u, %zero
  %from: array<f64, 1> = view[at] %a, %one
  assign %to, %from
  %last: array<f64, 1> = view[at] %u, %one
  %top: array<f64, 1> = view[at] %a, %zero
  assign %last, %top
  for %zero, %steps, %one {
  (%t: i64):
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
    continue[0]
  }
  return %u
}
