; An element that its own condition keeps as it is is done: nothing would change it any more.
; pass: interchange
; count: break = 1
; count: for = 2
; run: @f([1.0, 2.0, 100.0], 3) = [27.0, 54.0, 100.0]
; run: @f([1.0, 2.0, 100.0], 20) = [81.0, 54.0, 100.0]
func @f loop fast (%a: array<f64, 1>, %steps: i64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %most: f64 = const 50.0
  for %zero, %steps, %one {
  (%t: i64):
    for %zero, %n, %one {
    (%i: i64):
      %x: f64 = load_raw %a, %i
      %small: bool = lt %x, %most
      %double: f64 = add %x, %x
      %triple: f64 = add %double, %x
      %new: f64 = select %small, %triple, %x
      store_raw %a, %new, %i
      continue[0]
    }
    continue[0]
  }
  return %a
}
