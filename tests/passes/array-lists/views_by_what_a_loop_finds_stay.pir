; Which rows the views are of is data: the list remembers it.
; pass: array-lists
; count: list_append = 1
; run: @f([1.0, 2.0, 3.0, 4.0], [2, 0], 0) = 3.0
func @f loop (%x: array<f64, 1>, %at: array<i64, 1>, %k: i64) -> (f64) {
  %n: i64 = dim[0] %at
  %zero: i64 = const 0
  %one: i64 = const 1
  %eight: i64 = const 8
  %l: list<array<f64, 1>> = list_new
  for %zero, %n, %one {
  (%i: i64):
    %row: i64 = load_raw %at, %i
    %start: i64 = mul %row, %eight
    %v: array<f64, 1> = raw_view %x, %start, %one, %eight
    list_append %l, %v
    continue[0]
  }
  %y: array<f64, 1> = list_get %l, %k
  %z: f64 = load_raw %y, %zero
  return %z
}
