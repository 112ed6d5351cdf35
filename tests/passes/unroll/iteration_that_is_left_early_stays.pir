; So does one whose iterations are left early: there is no loop whose next iteration `continue` could begin.
; pass: unroll
; count: for = 1
; run: @f([1.0, 2.0, 4.0]) = 5.0
; run: @f([-1.0, 2.0, 4.0]) = 4.0
func @f loop fast (%a: array<f64, 1>) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %three: i64 = const 3
  %t: array<f64, 1> = zeros %three
  for %zero, %three, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %bad: bool = lt %x, %start
    if %bad {
      continue[0]
    } else {
      yield
    }
    %y: f64 = mul %x, %x
    store_raw %t, %y, %i
    continue[0]
  }
  %first: f64 = load_raw %t, %zero
  %second: f64 = load_raw %t, %one
  %sum: f64 = add %first, %second
  return %sum
}
