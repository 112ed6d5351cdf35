; It becomes an array that nobody else looks at: it is that array from the beginning.
; pass: array-lists
; count: list_append = 0
; count: empty = 1
; count: for = 1
; run: @f([1.0, 2.0, 4.0]) = [1.0, 4.0, 16.0]
; run: @f([]) = []
func @f loop fast (%x: array<f64, 1>) -> (array<f64, 1>) {
  %l: list<f64> = list_new
  %n: i64 = dim[0] %x
  %zero: i64 = const 0
  %one: i64 = const 1
  for %zero, %n, %one {
  (%i: i64):
    %v: f64 = load_raw %x, %i
    %w: f64 = mul %v, %v
    list_append %l, %w
    continue[0]
  }
  %m: i64 = list_len %l
  %a: array<f64, 1> = empty %m
  for %zero, %m, %one {
  (%j: i64):
    %item: f64 = list_get %l, %j
    store_raw %a, %item, %j
    continue[0]
  }
  return %a
}
