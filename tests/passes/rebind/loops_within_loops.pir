; Frames of several steps each, looked at behind these.
; pass: rebind
; count: assign = 0
; run: @f([[1.0, 2.0], [4.0, 8.0]], 3) = [[8.0, 16.0], [11.0, 22.0]], 11.0
; run: @f([[1.0, 2.0], [4.0, 8.0]], 0) = [[1.0, 2.0], [4.0, 8.0]], 0.0
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (array<f64, 2>, f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %u: array<f64, 2> = copy %a

  %none: f64 = const 0.0
  %frames: i64 = sub %steps, %one
  %sum: f64 = for %zero, %steps, %one, %none {
  (%t: i64, %s: f64):
    for %zero, %t, %one {
    (%k: i64):
      %row: array<f64, 1> = view[at] %u, %zero
      %new: array<f64, 2> = add %u, %row
      assign %u, %new
      continue[0]
    }
    %all: f64 = load %u, %zero, %zero
    %more: f64 = add %s, %all
    continue[0] %more
  }
  return %u, %sum
}
