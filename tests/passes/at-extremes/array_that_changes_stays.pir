; An element is written between the search and the other one, before it in the same iteration, or into the array of places.
; pass: at-extremes
; count: reduce = 3
; run: @element([3, 1, 2]) = 100
; run: @loop([3, 1, 2]) = 102
; run: @place([3, 1, 2], [7, 7]) = [7, 0], 9
func @element array fast (%a: array<i64, 1>) -> (i64) {
  %one: i64 = const 1
  %y: i64 = const 100
  %d: array<i64, 1> = mul %a, %a
  %k: i64 = reduce[argmin] %d
  store %d, %y, %one
  %x: i64 = load %d, %k
  return %x
}

func @loop array fast (%a: array<i64, 1>) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %y: i64 = const 101
  %d: array<i64, 1> = mul %a, %a
  %k: i64 = reduce[argmin] %d
  %s: i64 = for %zero, %two, %one, %zero {
  (%i: i64, %t: i64):
    %x: i64 = load %d, %k
    store %d, %y, %one
    %u: i64 = add %t, %x
    continue[0] %u
  }
  return %s
}

func @place array fast (%a: array<i64, 1>, %number: array<i64, 1>) -> (array<i64, 1>, i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %d: array<i64, 1> = mul %a, %a
  %k: i64 = reduce[argmin] %d
  store %number, %k, %one
  store %number, %zero, %one
  %at: i64 = load %number, %one
  %x: i64 = load %d, %at
  return %number, %x
}
