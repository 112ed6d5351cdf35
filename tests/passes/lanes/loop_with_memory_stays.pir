; The loop within writes to memory.
; pass: lanes
; count: for = 1
; count: loop = 1
; run: @f([1.0, 8.0, 0.5], 16.0) = [16.0, 16.0, 16.0]
func @f loop fast (%a: array<f64, 1>, %most: f64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %double: f64 = const 2.0
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    loop %x {
    (%y: f64):
      %z: f64 = add %y, %y
      store_raw %a, %y, %i
      %small: bool = lt %y, %most
      if %small {
        yield
      } else {
        break[0]
      }
      %w: f64 = mul %y, %double
      continue[0] %w
    }
    continue[0]
  }
  return %a
}
