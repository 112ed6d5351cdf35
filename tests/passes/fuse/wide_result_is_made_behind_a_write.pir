; Two flags are less to hand over what is written between than the numbers that are made of them.
; pass: fuse
; count: map = 1
; run: @f([1.0, 2.0, 3.0]) = [0.5, 1.0, 0.5]
func @f array fast (%a: array<f64, 1>) -> (array<f64, 1>) {
  %zero: f64 = const 0.0
  %half: f64 = const 0.5
  %one: f64 = const 1.0
  %two: f64 = const 2.0
  %u: array<f64, 1> = copy %a
  %x: array<bool, 1> = eq %u, %two
  %y: array<bool, 1> = lt %u, %one
  %v: array<bool, 1> = or %x, %y
  %n: array<f64, 1> = select %v, %half, %zero
  assign %u, %half
  %s: array<f64, 1> = add %n, %u
  return %s
}
