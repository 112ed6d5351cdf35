; A row that is looked at before the update and behind it.
; pass: rebind
; count: assign = 0
; run: @f([[1.0, 2.0], [4.0, 8.0]], 2) = 6.0
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %u: array<f64, 2> = copy %a

  %none: f64 = const 0.0
  %sum: f64 = for %zero, %steps, %one, %none {
  (%t: i64, %s: f64):
    %row: array<f64, 1> = view[at] %u, %zero
    %new: array<f64, 2> = add %u, %row
    assign %u, %new
    %behind: f64 = load %row, %zero
    %more: f64 = add %s, %behind
    continue[0] %more
  }
  return %sum
}
