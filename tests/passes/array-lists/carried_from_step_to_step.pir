; All lists that the loop may carry are arrays; the branch hands one on, which the loop within has filled.
; pass: array-lists
; count: list_new = 0
; count: empty = 2
; run: @f(3, 4, true) = 6, 4
; run: @f(3, 4, false) = 3, 4
; run: @f(0, 4, true) = 3, 4
; run: @f(2, -1, true) = 1, 1
; run: @f(2, -1, false) raises IndexError
func @f loop fast (%times: i64, %n: i64, %on: bool) -> (i64, i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %last: i64 = const -1
  %first: list<i64> = list_new
  for %zero, %n, %one {
  (%i: i64):
    list_append %first, %i
    continue[0]
  }
  %end: list<i64> = for %zero, %times, %one, %first {
  (%t: i64, %before: list<i64>):
    %list: list<i64> = list_new %t
    %some: bool = lt %one, %n
    if %some {
      for %one, %n, %one {
      (%j: i64):
        %a: i64 = list_get %before, %j
        %b: i64 = add %a, %one
        list_append %list, %b
        continue[0]
      }
      yield
    } else {
      yield
    }
    %next: list<i64> = if %on {
      yield %list
    } else {
      yield %before
    }
    continue[0] %next
  }
  %x: i64 = list_get %end, %last
  %many: i64 = list_len %end
  return %x, %many
}
