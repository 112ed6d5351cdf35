; A loop whose number nothing asks for repeats a sum over rows: it makes no pairs of points of them.
; pass: short-axes
; count: for = 3
; run: @f([[1.0], [2.0]]) = 6.0
; run: @f([[1.0, 2.0]]) = 3.0
; run: @f([[1.0, 2.0, 4.0]]) = 7.0
; run: @f([[1.0, 2.0, 4.0, 8.0]]) = 15.0
; run: @f([[1.0, 2.0, 4.0, 8.0, 16.0]]) = 31.0
; run: @f([]) = 0.0
func @f loop fast (%p: array<f64, 2>) -> (f64) {
  %n: i64 = dim[0] %p
  %k: i64 = dim[1] %p
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %all: f64 = for %zero, %n, %one, %none {
  (%i: i64, %a: f64):
    %part: f64 = for %zero, %n, %one, %a {
    (%j: i64, %b: f64):
      %sum: f64 = for %zero, %k, %one, %b {
      (%c: i64, %s: f64):
        %x: f64 = load_raw %p, %j, %c
        %t: f64 = add %s, %x
        continue[0] %t
      }
      continue[0] %sum
    }
    continue[0] %part
  }
  return %all
}
