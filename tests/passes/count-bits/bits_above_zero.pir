; Where numbers below 0 end the loop, they are left as they are; steps wrap.
; pass: count-bits
; count: loop = 0
; run: @f(7, 100) = 44, 0, 0.5
; run: @f(-7, 100) = 0, -7, 0.5
; run: @f(-128, 3) = 0, -128, 0.5
func @f array (%v: i8, %step: u8) -> (u8, i8, f64) {
  %none: u8 = const 0
  %half: f64 = const 0.5
  %zero: i8 = const 0
  %one: i8 = const 1
  %n: u8, %end: i8, %same: f64 = loop %v, %half, %none {
  (%x: i8, %y: f64, %count: u8):
    %done: bool = ge %zero, %x
    if %done {
      break[0] %count, %x, %y
    } else {
      yield
    }
    %lower: i8 = sub %x, %one
    %rest: i8 = and %x, %lower
    %next: u8 = add %count, %step
    continue[0] %rest, %y, %next
  }
  return %n, %end, %same
}
; ---- after
func @f array (%0: i8, %1: u8) -> (u8, i8, f64) {
  %2: u8 = const 0
  %3: f64 = const 0.5
  %4: i8 = const 0
  %5: i8 = const 1
  %6: i8 = const 0
  %7: i8 = max %0, %6
  %8: i8 = min %0, %6
  %9: u8 = cast %7
  %10: u64 = cast %9
  %11: u64 = const 1
  %12: u64 = shr %10, %11
  %13: u64 = const 6148914691236517205
  %14: u64 = and %12, %13
  %15: u64 = sub %10, %14
  %16: u64 = const 2
  %17: u64 = shr %15, %16
  %18: u64 = const 3689348814741910323
  %19: u64 = and %17, %18
  %20: u64 = const 3689348814741910323
  %21: u64 = and %15, %20
  %22: u64 = add %21, %19
  %23: u64 = const 4
  %24: u64 = shr %22, %23
  %25: u64 = add %22, %24
  %26: u64 = const 1085102592571150095
  %27: u64 = and %25, %26
  %28: u64 = const 72340172838076673
  %29: u64 = mul %27, %28
  %30: u64 = const 56
  %31: u64 = shr %29, %30
  %32: u8 = cast %31
  %33: u8 = mul %32, %1
  %34: u8 = add %2, %33
  return %34, %8, %3
}
