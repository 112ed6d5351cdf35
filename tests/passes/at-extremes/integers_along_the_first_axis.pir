; Of integers any element is as good as an equal one. Each column is searched, and looked at through views.
; pass: at-extremes, dce
; count: load = 2
; count: reduce = 2
; run: @f([[1, -9, 3], [1, 8, -7]]) = [1, -9, -7]
func @f array fast (%a: array<i32, 2>) -> (array<i32, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[1] %a
  %d: array<i32, 2> = mul %a, %a
  %e: array<i32, 2> = floordiv %d, %a
  %at: array<i64, 2> = reduce[argmin axes 0 keepdims] %e
  %t: array<i32, 2> = transpose[1, 0] %e
  %out: array<i32, 1> = empty %n
  for %zero, %n, %one {
  (%k: i64):
    %row: array<i32, 1> = view[at] %t, %k
    %j: i64 = load %at, %zero, %k
    %x: i32 = load %row, %j
    store %out, %x, %k
    continue[0]
  }
  return %out
}
