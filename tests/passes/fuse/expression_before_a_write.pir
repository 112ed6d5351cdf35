; What is written between keeps three comparisons from the selection, so that the one array that is made of them is made before.
; pass: fuse
; count: map = 1
; run: @f([1, 2, 3, 4, 5]) = [0, 1, 1, 1, 0]
func @f array fast (%a: array<i64, 1>) -> (array<i64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %four: i64 = const 4
  %three: i64 = const 3
  %u: array<i64, 1> = copy %a
  %x: array<bool, 1> = eq %u, %two
  %y: array<bool, 1> = eq %u, %three
  %z: array<bool, 1> = eq %u, %four
  %v: array<bool, 1> = or %x, %y
  %w: array<bool, 1> = or %v, %z
  assign %u, %zero
  %s: array<i64, 1> = select %w, %one, %u
  return %s
}
