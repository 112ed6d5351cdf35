; What leaves the function needs memory of its own.
; pass: hoist-arrays
; count: empty in loops = 1
; count: empty = 2
; run: @f([1.0, 2.0, 4.0], 2) = [4.0, 4.0]
; run: @f([], 0) = []
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %eight: i64 = const 8
  for %zero, %n, %one {
  (%i: i64):
    %t: array<f64, 1> = empty %n
    %x: f64 = load_raw %a, %i
    for %zero, %n, %one {
    (%j: i64):
      store_raw %t, %x, %j
      continue[0]
    }
    %found: bool = eq %i, %k
    if %found {
      %v: array<f64, 1> = raw_view %t, %zero, %two, %eight
      return %v
    } else {
      yield
    }
    continue[0]
  }
  %c: array<f64, 1> = empty %n
  return %c
}
