; The first of two zeros may be the negative one or the other: the least is either.
; pass: at-extremes
; count: reduce = 2
; count: load = 2
; run: @minus([1.0, 2.0, -0.0, 0.0], 0.0) = -0.0
; run: @power([1.0, -2.0], 3.0) = -8.0
func @minus array fast (%a: array<f64, 1>, %y: f64) -> (f64) {
  %d: array<f64, 1> = sub %a, %y
  %k: i64 = reduce[argmin] %d
  %x: f64 = load %d, %k
  return %x
}

func @power array fast (%a: array<f64, 1>, %y: f64) -> (f64) {
  %d: array<f64, 1> = pow %a, %y
  %k: i64 = reduce[argmin] %d
  %x: f64 = load %d, %k
  return %x
}
