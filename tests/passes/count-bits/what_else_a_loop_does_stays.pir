; It ends early, takes another bit, ends at another number, or counts what changes.
; pass: count-bits
; count: loop = 4
; run: @early(255) = 3
; run: @shifts(5) = 3
; run: @to_one(7) = 3
; run: @sums(7) = 3
func @early array (%v: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %n: i64 = loop %zero, %v {
  (%count: i64, %x: i64):
    %more: bool = ne %x, %zero
    if %more {
      yield
    } else {
      break[0] %count
    }
    %lower: i64 = sub %x, %one
    %rest: i64 = and %x, %lower
    %next: i64 = add %count, %one
    %many: bool = gt %next, %two
    if %many {
      break[0] %next
    } else {
      yield
    }
    continue[0] %next, %rest
  }
  return %n
}

func @shifts array (%v: u64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: u64 = const 0
  %by: u64 = const 1
  %n: i64 = loop %zero, %v {
  (%count: i64, %x: u64):
    %more: bool = ne %x, %none
    if %more {
      yield
    } else {
      break[0] %count
    }
    %rest: u64 = shr %x, %by
    %next: i64 = add %count, %one
    continue[0] %next, %rest
  }
  return %n
}

func @to_one array (%v: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = loop %zero, %v {
  (%count: i64, %x: i64):
    %more: bool = gt %x, %one
    if %more {
      yield
    } else {
      break[0] %count
    }
    %lower: i64 = sub %x, %one
    %rest: i64 = and %x, %lower
    %next: i64 = add %count, %one
    continue[0] %next, %rest
  }
  return %n
}

func @sums array (%v: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64, %last: i64 = loop %zero, %zero, %v {
  (%total: i64, %count: i64, %x: i64):
    %more: bool = ne %x, %zero
    if %more {
      yield
    } else {
      break[0] %total, %count
    }
    %lower: i64 = sub %x, %one
    %rest: i64 = and %x, %lower
    %next: i64 = add %count, %one
    %all: i64 = add %total, %count
    continue[0] %all, %next, %rest
  }
  return %n
}
; ---- after
func @early array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 2
  %4: i64 = loop %1, %0 {
  (%5: i64, %6: i64):
    %7: bool = ne %6, %1
    if %7 {
      yield
    } else {
      break[0] %5
    }
    %8: i64 = sub %6, %2
    %9: i64 = and %6, %8
    %10: i64 = add %5, %2
    %11: bool = gt %10, %3
    if %11 {
      break[0] %10
    } else {
      yield
    }
    continue[0] %10, %9
  }
  return %4
}

func @shifts array (%0: u64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: u64 = const 0
  %4: u64 = const 1
  %5: i64 = loop %1, %0 {
  (%6: i64, %7: u64):
    %8: bool = ne %7, %3
    if %8 {
      yield
    } else {
      break[0] %6
    }
    %9: u64 = shr %7, %4
    %10: i64 = add %6, %2
    continue[0] %10, %9
  }
  return %5
}

func @to_one array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = loop %1, %0 {
  (%4: i64, %5: i64):
    %6: bool = gt %5, %2
    if %6 {
      yield
    } else {
      break[0] %4
    }
    %7: i64 = sub %5, %2
    %8: i64 = and %5, %7
    %9: i64 = add %4, %2
    continue[0] %9, %8
  }
  return %3
}

func @sums array (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64, %4: i64 = loop %1, %1, %0 {
  (%5: i64, %6: i64, %7: i64):
    %8: bool = ne %7, %1
    if %8 {
      yield
    } else {
      break[0] %5, %6
    }
    %9: i64 = sub %7, %2
    %10: i64 = and %7, %9
    %11: i64 = add %6, %2
    %12: i64 = add %5, %6
    continue[0] %12, %11, %10
  }
  return %3
}
