; The loop in the parallel loop is the one whose iterations are counted, and what is made after the number of parts is asked for
; is not known there. Costs are as of one that is known before.
; pass: size-parts
; count: parts = 0
; count: sqrt = 1
; count: pfor = 1
; run: @f(3, 2) = 1
; run: @f(0, 2) = 1
func @f loop (%0: i64, %1: i64) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = parts %0
  %5: i64 = floordiv %0, %4
  pfor[|] %2, %4, %3 {
  (%6: i64):
    %7: i64 = mul %6, %5
    %8: i64 = add %7, %5
    for %7, %8, %3 {
    (%9: i64):
      %10: i64 = for %2, %1, %3, %2 {
      (%11: i64, %12: i64):
        %13: i64 = mul %12, %11
        %14: i64 = add %13, %11
        %15: i64 = xor %14, %9
        %16: i64 = mul %15, %15
        %17: i64 = xor %16, %11
        %18: i64 = mul %17, %15
        %19: i64 = add %18, %16
        continue[0] %19
      }
      continue[0]
    }
    continue[0]
  }
  return %4
}
