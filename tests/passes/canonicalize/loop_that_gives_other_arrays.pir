; What the loop carries is of one axis, what it gives of two and of none; both are left as another one that it carried.
; pass: canonicalize
; count: dim = 0
; run: @f(3, 2) = 3, 5
func @f loop (%n: i64, %m: i64) -> (i64, i64) {
  %five: i64 = const 5
  %a: array<f64, 1> = zeros %n
  %b: array<f64, 2> = zeros %m, %five
  %c: array<f64, 2>, %d: array<f64, 1> = loop %a, %b {
  (%p: array<f64, 1>, %q: array<f64, 2>):
    break[0] %q, %p
  }
  %x: i64 = dim[0] %d
  %y: i64 = dim[1] %c
  return %x, %y
}
