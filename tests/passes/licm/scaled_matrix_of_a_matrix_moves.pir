; A product of matrices looks at each of its elements many times.
; pass: licm
; count: mul in loops = 0
; run: @f([[1.0, 2.0], [4.0, 8.0]], 3.0, [[1.0, 0.0], [0.0, 1.0]], 1) = [[3.0, 6.0], [12.0, 24.0]]
func @f array fast (%a: array<f64, 2>, %s: f64, %x: array<f64, 2>, %n: i64) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %r: array<f64, 2> = for %zero, %n, %one, %x {
  (%i: i64, %v: array<f64, 2>):
    %u: array<f64, 2> = mul %s, %a
    %y: array<f64, 2> = matmul %u, %v
    continue[0] %y
  }
  return %r
}
