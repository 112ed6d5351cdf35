; A loop that came to its end does so again, in a call or not; but not where what it read has been written.
; pass: cse
; count: call = 3
; count: loop = 2
; run: @twice([1.0, 5.0], 2.0) = 2
; run: @written([1.0, 5.0], 2.0) = 2
func @find array (%x: array<f64, 1>, %what: f64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %found: i64 = loop %zero {
  (%i: i64):
    %v: f64 = load %x, %i
    %is: bool = gt %v, %what
    if %is {
      break[0] %i
    } else {
      yield
    }
    %next: i64 = add %i, %one
    continue[0] %next
  }
  return %found
}

func @twice array (%x: array<f64, 1>, %what: f64) -> (i64) {
  %first: i64 = call[@find] %x, %what
  %second: i64 = call[@find] %x, %what
  %both: i64 = add %first, %second
  return %both
}

func @written array (%x: array<f64, 1>, %what: f64) -> (i64) {
  %first: i64 = call[@find] %x, %what
  %zero: i64 = const 0
  store %x, %what, %zero
  %second: i64 = call[@find] %x, %what
  %both: i64 = add %first, %second
  return %both
}

func @here array (%n: i64) -> (i64) {
  %one: i64 = const 1
  %a: i64 = loop %n {
  (%i: i64):
    %half: i64 = shr %i, %one
    %done: bool = lt %half, %one
    if %done {
      break[0] %i
    } else {
      yield
    }
    continue[0] %half
  }
  %b: i64 = loop %n {
  (%j: i64):
    %less: i64 = shr %j, %one
    %end: bool = lt %less, %one
    if %end {
      break[0] %j
    } else {
      yield
    }
    continue[0] %less
  }
  %both: i64 = add %a, %b
  return %both
}
; ---- after
func @find array (%0: array<f64, 1> in m0, %1: f64) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = loop %2 !r m0 {
  (%5: i64):
    %6: f64 = load %0, %5 !r m0
    %7: bool = gt %6, %1
    if %7 {
      break[0] %5
    } else {
      yield
    }
    %8: i64 = add %5, %3
    continue[0] %8
  }
  return %4
}

func @twice array (%0: array<f64, 1> in m0, %1: f64) -> (i64) {
  %2: i64 = call[@find] %0, %1 !r m0
  %3: i64 = add %2, %2
  return %3
}

func @written array (%0: array<f64, 1> in m0, %1: f64) -> (i64) {
  %2: i64 = call[@find] %0, %1 !r m0
  %3: i64 = const 0
  store %0, %1, %3 !w m0
  %4: i64 = call[@find] %0, %1 !r m0
  %5: i64 = add %2, %4
  return %5
}

func @here array (%0: i64) -> (i64) {
  %1: i64 = const 1
  %2: i64 = loop %0 {
  (%3: i64):
    %4: i64 = shr %3, %1
    %5: bool = lt %4, %1
    if %5 {
      break[0] %3
    } else {
      yield
    }
    continue[0] %4
  }
  %6: i64 = add %2, %2
  return %6
}
