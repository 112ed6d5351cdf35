; Of what may be anything a table has no element for each.
; pass: version-loops
; count: check = 1
; count: if = 0
; run: @f([3, 2, 1, 0], [0, 3, 3, 1]) = [3, 0, 0, 2]
; run: @f([3, 2, 1, 0], [0, 4]) raises IndexError
; run: @f([3, 2, 1, 0], []) = []
func @f loop fast (%0: array<u8, 1> in m0, %1: array<u32, 1> in m1) -> (array<u8, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[0] %1
  %4: array<u8, 1> in m2 = empty %3
  %5: i64 = const 0
  %6: i64 = const 1
  for %5, %3, %6 !r m0|m1 !w m2 {
  (%7: i64):
    %8: u32 = load_raw %1, %7 !r m1
    %9: i64 = cast %8
    %10: u64 = cast %9
    %11: u64 = cast %2
    %12: bool = lt %10, %11
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %12, %9, %2
    %13: u8 = load_raw %0, %9 !r m0
    store_raw %4, %13, %7 !w m2
    continue[0]
  }
  return %4
}
