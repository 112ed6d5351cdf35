; A step writes to the links.
; pass: check-once
; count: for = 3
; run: @f([0, 2, 3], [1, 2, 0], [1.0, 2.0, 4.0], 2) = 10.0
func @f loop fast (%pointers: array<i64, 1>, %held: array<i32, 1>, %x: array<f64, 1>, %steps: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %n: i64 = dim[0] %x
  %p: i64 = dim[0] %pointers
  %rows: i64 = sub %p, %one
  %all: f64 = for %zero, %steps, %one, %none {
  (%t: i64, %a: f64):
    %rowsum: f64 = for %zero, %rows, %one, %a {
    (%i: i64, %b: f64):
      %next: i64 = add %i, %one
      %from: i64 = load_raw %pointers, %i
      %to: i64 = load_raw %pointers, %next
      %entries: f64 = for %from, %to, %one, %b {
      (%k: i64, %c: f64):
        %h: i32 = load_raw %held, %k
        %raw: i64 = cast %h
        %end: i64 = add %raw, %n
        %isneg: bool = lt %raw, %zero
        %at: i64 = select %isneg, %end, %raw
        %u: u64 = cast %at
        %un: u64 = cast %n
        %fits: bool = lt %u, %un
        check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %fits, %raw, %n
        %e: f64 = load_raw %x, %at
        %d: f64 = add %c, %e
        %first: i32 = const 0
        store_raw %held, %first, %k
        continue[0] %d
      }
      continue[0] %entries
    }
    continue[0] %rowsum
  }
  return %all
}
