; The least element is what the search for its place carries, whichever of both comes first; but not where the array changes between.
; pass: lower
; count: min in loops = 13
; run: @place_first([3, -1, 2, -1]) = 1, -1
; run: @extreme_first([3.0, nan, 2.0]) = nan, 1
; run: @extreme_first([3.0, -1.0, -1.0]) = -1.0, 1
; run: @extreme_first([]) raises ValueError
; run: @rows([[3.0, 1.0], [nan, 2.0]]) = [0, 0], [3.0, nan]
; run: @changes([3, 1]) = 1, 3
func @place_first array fast (%a: array<i64, 1>) -> (i64, i64) {
  %p: i64 = reduce[argmin] %a
  %m: i64 = reduce[min] %a
  return %p, %m
}

func @extreme_first array fast (%a: array<f64, 1>) -> (f64, i64) {
  %m: f64 = reduce[min] %a
  %p: i64 = reduce[argmin] %a
  return %m, %p
}

func @rows array fast (%a: array<f64, 2>) -> (array<i64, 1>, array<f64, 1>) {
  %p: array<i64, 1> = reduce[argmax axes 1] %a
  %m: array<f64, 1> = reduce[max axes 1] %a
  return %p, %m
}

func @changes array fast (%a: array<i64, 1>) -> (i64, i64) {
  %one: i64 = const 1
  %five: i64 = const 5
  %p: i64 = reduce[argmin] %a
  store %a, %five, %one
  %m: i64 = reduce[min] %a
  return %p, %m
}
