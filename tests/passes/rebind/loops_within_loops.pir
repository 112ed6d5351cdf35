; Frames of several steps each, looked at behind these.
; pass: rebind
; count: assign = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]], 3) = [[20.0, 40.0], [20.0, 40.0]], 26.0
; run: @f([[1.0, 2.0], [4.0, 8.0]], 0) = [[1.0, 2.0], [4.0, 8.0]], 0.0
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (array<f64, 2>, f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %final: i64 = sub %n, %one
  %u: array<f64, 2> = copy %a

  %none: f64 = const 0.0
  %frames: i64 = sub %steps, %one
  %sum: f64 = for %zero, %steps, %one, %none {
  (%t: i64, %s: f64):
    for %zero, %t, %one {
    (%k: i64):
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
    %all: f64 = load %u, %zero, %zero
    %more: f64 = add %s, %all
    continue[0] %more
  }
  return %u, %sum
}
