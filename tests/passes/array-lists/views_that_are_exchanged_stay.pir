; An item that is set is another view.
; pass: array-lists
; count: list_append = 1
; run: @f([1.0, 2.0, 3.0, 4.0]) = 4.0
func @f loop (%x: array<f64, 1>) -> (f64) {
  %n: i64 = dim[0] %x
  %zero: i64 = const 0
  %one: i64 = const 1
  %eight: i64 = const 8
  %l: list<array<f64, 1>> = list_new
  for %zero, %n, %one {
  (%i: i64):
    %start: i64 = mul %i, %eight
    %v: array<f64, 1> = raw_view %x, %start, %one, %eight
    list_append %l, %v
    continue[0]
  }
  %last: i64 = sub %n, %one
  %own: array<f64, 1> = list_get %l, %last
  list_set %l, %zero, %own
  %y: array<f64, 1> = list_get %l, %zero
  %z: f64 = load_raw %y, %zero
  return %z
}
