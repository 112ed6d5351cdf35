; Each iteration reads and writes its own element alone.
; pass: lanes
; count: loop = 2
; run: @f([1.0, 8.0, 0.5, 1.0, 4.0, 2.0, 32.0], 16.0) = [16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 32.0]
func @f loop fast (%a: array<f64, 1>, %most: f64) -> (array<f64, 1>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %double: f64 = const 2.0
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %r: f64 = loop %x {
    (%y: f64):
      %z: f64 = add %y, %y
      %small: bool = lt %y, %most
      if %small {
        yield
      } else {
        break[0] %y
      }
      %w: f64 = mul %y, %double
      continue[0] %w
    }
    store_raw %a, %r, %i
    continue[0]
  }
  return %a
}
