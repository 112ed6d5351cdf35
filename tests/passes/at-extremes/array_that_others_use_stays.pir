; It is there anyway: returned, loaded from elsewhere, an argument, or searched along another axis; and other rows than their own.
; pass: at-extremes
; count: reduce = 6
; run: @returned([3, 1, 2]) = [9, 1, 4], 1
; run: @elsewhere([3, 1, 2]) = 10
; run: @argument([3, 1, 2]) = 1
; run: @flat([[3, 1], [2, 0]]) = 1, 0
; run: @other_row([[3, 1], [2, 5]]) = 25
func @returned array fast (%a: array<i64, 1>) -> (array<i64, 1>, i64) {
  %d: array<i64, 1> = mul %a, %a
  %k: i64 = reduce[argmin] %d
  %x: i64 = load %d, %k
  return %d, %x
}

func @elsewhere array fast (%a: array<i64, 1>) -> (i64) {
  %zero: i64 = const 0
  %d: array<i64, 1> = mul %a, %a
  %k: i64 = reduce[argmin] %d
  %x: i64 = load %d, %k
  %y: i64 = load %d, %zero
  %z: i64 = add %x, %y
  return %z
}

func @argument array fast (%a: array<i64, 1>) -> (i64) {
  %k: i64 = reduce[argmin] %a
  %x: i64 = load %a, %k
  return %x
}

func @flat array fast (%a: array<i64, 2>) -> (i64, i64) {
  %one: i64 = const 1
  %d: array<i64, 2> = mul %a, %a
  %k: array<i64, 1> = reduce[argmin axes 0] %d
  %all: i64 = reduce[argmin] %d
  %j: i64 = load %k, %one
  %x: i64 = load %d, %j, %one
  return %j, %x
}

func @other_row array fast (%a: array<i64, 2>) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %d: array<i64, 2> = mul %a, %a
  %k: array<i64, 1> = reduce[argmin axes 1] %d
  %j: i64 = load %k, %zero
  %x: i64 = load %d, %one, %j
  return %x
}
