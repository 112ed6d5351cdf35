; Windows of an array: no list is left.
; pass: array-lists
; count: list_append = 0
; count: list_get = 0
; count: raw_view = 2
; run: @f([1.0, 2.0, 3.0, 4.0], 2, 1) = 3.0, 3
; run: @f([1.0, 2.0, 3.0, 4.0], 2, -1) = 4.0, 3
; run: @f([1.0, 2.0, 3.0, 4.0], 2, -3) = 2.0, 3
; run: @f([1.0, 2.0, 3.0, 4.0], 2, 3) raises IndexError
; run: @f([1.0], 2, 0) raises IndexError
func @f loop (%x: array<f64, 1>, %w: i64, %k: i64) -> (f64, i64) {
  %n: i64 = dim[0] %x
  %zero: i64 = const 0
  %one: i64 = const 1
  %eight: i64 = const 8
  %short: i64 = sub %n, %w
  %count: i64 = add %short, %one
  %l: list<array<f64, 1>> = list_new
  for %zero, %count, %one {
  (%i: i64):
    %start: i64 = mul %i, %eight
    %v: array<f64, 1> = raw_view %x, %start, %w, %eight
    list_append %l, %v
    continue[0]
  }
  %m: i64 = list_len %l
  %y: array<f64, 1> = list_get %l, %k
  %last: i64 = sub %w, %one
  %z: f64 = load_raw %y, %last
  return %z, %m
}
