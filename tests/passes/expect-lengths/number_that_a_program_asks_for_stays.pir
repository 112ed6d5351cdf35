; The program itself asks for the length: either is as usual.
; pass: expect-lengths
; count: if = 1
; run: @f([1.0, 2.0, 3.0]) = 1.0
; run: @f([1.0, 2.0]) = 2.0
func @f loop fast (%a: array<f64, 1>) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %three: i64 = const 3
  %n: i64 = dim[0] %a
  %some: bool = lt %one, %n
  check[ValueError, "too short"] %some
  %same: bool = eq %n, %three
  %x: f64 = if %same {
    %b: f64 = load_raw %a, %zero
    yield %b
  } else {
    %c: f64 = load_raw %a, %one
    yield %c
  }
  return %x
}
