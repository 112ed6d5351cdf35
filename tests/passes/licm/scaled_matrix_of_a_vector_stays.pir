; The product computes its elements as it goes over the matrix.
; pass: licm
; count: mul in loops = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]], 3.0, [1.0, 1.0], 1) = [9.0, 36.0]
func @f array fast (%a: array<f64, 2>, %s: f64, %x: array<f64, 1>, %n: i64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %r: array<f64, 1> = for %zero, %n, %one, %x {
  (%i: i64, %v: array<f64, 1>):
    %u: array<f64, 2> = mul %s, %a
    %y: array<f64, 1> = matmul %u, %v
    continue[0] %y
  }
  return %r
}
