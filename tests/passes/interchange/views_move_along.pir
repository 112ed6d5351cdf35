; A view that the loop over time makes is one of memory that was there before.
; pass: interchange
; count: break = 1
; run: @f([[1.0, 2.0], [4.0, 0.0]], 3) = [[8.0, 16.0], [32.0, 0.0]]
func @f loop fast (%a: array<f64, 2>, %steps: i64) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %eight: i64 = const 8
  %x0: f64 = const 0.0
  %m: i64 = dim[0] %a
  %k: i64 = dim[1] %a
  %b: array<f64, 2> = empty %m, %k
  for %zero, %m, %one {
  (%p: i64):
    for %zero, %k, %one {
    (%q: i64):
      %x: f64 = load_raw %a, %p, %q
      store_raw %b, %x, %p, %q
      continue[0]
    }
    continue[0]
  }
  for %zero, %steps, %one {
  (%t: i64):
    %n: i64 = mul %m, %k
    %v: array<f64, 1> = raw_view %b, %zero, %n, %eight
    for %zero, %n, %one {
    (%i: i64):
      %y: f64 = load_raw %v, %i
      %positive: bool = lt %x0, %y
      %z: f64 = add %y, %y
      %s: f64 = select %positive, %z, %y
      store_raw %v, %s, %i
      continue[0]
    }
    continue[0]
  }
  return %b
}
