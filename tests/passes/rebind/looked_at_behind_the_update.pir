; What stands behind the update in a step sees the new array, and what stands before it the old one.
; pass: rebind
; count: assign = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]], 2) = 42.0
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %final: i64 = sub %n, %one
  %u: array<f64, 2> = copy %a

  %none: f64 = const 0.0
  %sum: f64 = for %zero, %steps, %one, %none {
  (%t: i64, %s: f64):
    %before: f64 = load %u, %zero, %one
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
    %behind: f64 = load %u, %zero, %one
    %both: f64 = add %before, %behind
    %more: f64 = add %s, %both
    continue[0] %more
  }
  return %sum
}
