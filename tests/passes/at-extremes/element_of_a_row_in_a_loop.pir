; The place goes through an element of an array: `number[i] = np.argmax(d); distance[i] = d[number[i]]`.
; pass: at-extremes
; count: load = 1
; count: reduce = 3
; run: @f([[3.0, 4.0], [1.0, 0.0], [6.0, 8.0]], [[0.0, 0.0], [3.0, 4.0]]) = [0, 1, 0], [5.0, 4.47213595499958, 10.0]
func @f array fast (%a: array<f64, 2>, %b: array<f64, 2>) -> (array<i64, 1>, array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %number: array<i64, 1> = zeros %n
  %distance: array<f64, 1> = zeros %n
  for %zero, %n, %one {
  (%i: i64):
    %p: array<f64, 1> = view[at] %a, %i
    %v: array<f64, 2> = sub %b, %p
    %w: array<f64, 2> = mul %v, %v
    %s: array<f64, 1> = reduce[sum axes 1] %w
    %d: array<f64, 1> = sqrt %s
    %k: i64 = reduce[argmax] %d
    store %number, %k, %i
    %at: i64 = load %number, %i
    %x: f64 = load %d, %at
    store %distance, %x, %i
    continue[0]
  }
  return %number, %distance
}
