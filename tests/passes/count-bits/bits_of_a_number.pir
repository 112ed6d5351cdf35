; What is counted grows by one or by another number for each bit, whatever the sign.
; pass: count-bits
; count: loop = 0
; run: @f(12, 5) = 2, 3, 0
; run: @f(0, 5) = 0, 5, 0
; run: @f(-1, 70) = 64, 6, 0
; run: @f(-9223372036854775808, 1) = 1, 0, 0
func @f array (%v: i64, %from: i64) -> (i64, i64, i64) {
  %zero: i64 = const 0
  %n: i64, %left: i64, %end: i64 = loop %zero, %from, %v {
  (%count: i64, %less: i64, %x: i64):
    %more: bool = ne %x, %zero
    if %more {
      yield
    } else {
      break[0] %count, %less, %x
    }
    %one: i64 = const 1
    %lower: i64 = sub %x, %one
    %rest: i64 = and %lower, %x
    %next: i64 = add %count, %one
    %fewer: i64 = sub %less, %one
    continue[0] %next, %fewer, %rest
  }
  return %n, %left, %end
}
; ---- after
func @f array (%0: i64, %1: i64) -> (i64, i64, i64) {
  %2: i64 = const 0
  %3: i64 = const 0
  %4: u64 = cast %0
  %5: u64 = const 1
  %6: u64 = shr %4, %5
  %7: u64 = const 6148914691236517205
  %8: u64 = and %6, %7
  %9: u64 = sub %4, %8
  %10: u64 = const 2
  %11: u64 = shr %9, %10
  %12: u64 = const 3689348814741910323
  %13: u64 = and %11, %12
  %14: u64 = const 3689348814741910323
  %15: u64 = and %9, %14
  %16: u64 = add %15, %13
  %17: u64 = const 4
  %18: u64 = shr %16, %17
  %19: u64 = add %16, %18
  %20: u64 = const 1085102592571150095
  %21: u64 = and %19, %20
  %22: u64 = const 72340172838076673
  %23: u64 = mul %21, %22
  %24: u64 = const 56
  %25: u64 = shr %23, %24
  %26: i64 = cast %25
  %27: i64 = add %2, %26
  %28: i64 = cast %25
  %29: i64 = sub %1, %28
  return %27, %29, %3
}
