; The entries are computed where they are added up; that shape is asked for is no other use.
; pass: join-samples
; count: call = 2
; run: @f([0, 2, 2, 3], [1, 0, 1], [1.0, 2.0, 3.0], [10.0, 100.0], true, 2.0) = [240.0, 0.0, 600.0]
; run: @f([0, 2, 2, 3], [1, 0, 1], [1.0, 2.0, 3.0], [10.0, 100.0], false, 2.0) = [12.0, 0.0, 12.0]
func @times array operation "times" (%p: array<i64, 1>, %q: array<i64, 1>, %c: array<f64, 1>, %m: i64, %a: array<f64, 1>) -> (array<i64, 1>, array<i64, 1>, array<f64, 1>, i64, i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %p
  %rows: i64 = sub %n, %one
  %count: i64 = load %p, %rows
  %v: array<f64, 1> = empty %count
  for %zero, %rows, %one {
  (%i: i64):
    %begin: i64 = load %p, %i
    %next: i64 = add %i, %one
    %end: i64 = load %p, %next
    for %begin, %end, %one {
    (%k: i64):
      %j: i64 = load %q, %k
      %x: f64 = load %c, %k
      %y: f64 = load %a, %j
      %z: f64 = mul %x, %y
      store %v, %z, %k
      continue[0]
    }
    continue[0]
  }
  %r: array<i64, 1> = copy %p
  %s: array<i64, 1> = copy %q
  return %r, %s, %v, %rows, %m
}
func @sums array operation "sums" (%p: array<i64, 1>, %q: array<i64, 1>, %v: array<f64, 1>, %rows: i64, %m: i64, %f: f64) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %nothing: f64 = const 0.0
  %out: array<f64, 1> = zeros %rows
  for %zero, %rows, %one {
  (%i: i64):
    %begin: i64 = load %p, %i
    %next: i64 = add %i, %one
    %end: i64 = load %p, %next
    %sum: f64 = for %begin, %end, %one, %nothing {
    (%k: i64, %t: f64):
      %x: f64 = load %v, %k
      %y: f64 = add %t, %x
      continue[0] %y
    }
    %w: f64 = mul %sum, %f
    store %out, %w, %i
    continue[0]
  }
  return %out
}
func @f array (%p: array<i64, 1>, %q: array<i64, 1>, %c: array<f64, 1>, %a: array<f64, 1>, %few: bool, %f: f64) -> (array<f64, 1>) {
  %m: i64 = dim[0] %a
  %r: array<i64, 1>, %s: array<i64, 1>, %v: array<f64, 1>, %rows: i64, %columns: i64 = if %few {
    %r1: array<i64, 1>, %s1: array<i64, 1>, %v1: array<f64, 1>, %rows1: i64, %columns1: i64 = call[@times] %p, %q, %c, %m, %a
    yield %r1, %s1, %v1, %rows1, %columns1
  } else {
    %n: i64 = dim[0] %p
    %one: i64 = const 1
    %less: i64 = sub %n, %one
    %twice: array<f64, 1> = add %c, %c
    yield %p, %q, %twice, %less, %m
  }
  %x: array<f64, 1> = call[@sums] %r, %s, %v, %rows, %columns, %f
  %big: i64 = add %rows, %columns
  return %x
}
; ---- after
func @times array operation "times" (%0: array<i64, 1> in m0, %1: array<i64, 1> in m0, %2: array<f64, 1> in m0, %3: i64, %4: array<f64, 1> in m0) -> (array<i64, 1>, array<i64, 1>, array<f64, 1>, i64, i64) {
  %5: i64 = const 0
  %6: i64 = const 1
  %7: i64 = dim[0] %0
  %8: i64 = sub %7, %6
  %9: i64 = load %0, %8 !r m0
  %10: array<f64, 1> in m1 = empty %9
  for %5, %8, %6 !r m0 !w m1 {
  (%11: i64):
    %12: i64 = load %0, %11 !r m0
    %13: i64 = add %11, %6
    %14: i64 = load %0, %13 !r m0
    for %12, %14, %6 !r m0 !w m1 {
    (%15: i64):
      %16: i64 = load %1, %15 !r m0
      %17: f64 = load %2, %15 !r m0
      %18: f64 = load %4, %16 !r m0
      %19: f64 = mul %17, %18
      store %10, %19, %15 !w m1
      continue[0]
    }
    continue[0]
  }
  %20: array<i64, 1> in m2 = copy %0 !r m0
  %21: array<i64, 1> in m3 = copy %1 !r m0
  return %20, %21, %10, %8, %3
}

func @sums array operation "sums" (%0: array<i64, 1> in m0, %1: array<i64, 1> in m0, %2: array<f64, 1> in m0, %3: i64, %4: i64, %5: f64) -> (array<f64, 1>) {
  %6: i64 = const 0
  %7: i64 = const 1
  %8: f64 = const 0.0
  %9: array<f64, 1> in m1 = zeros %3
  for %6, %3, %7 !r m0 !w m1 {
  (%10: i64):
    %11: i64 = load %0, %10 !r m0
    %12: i64 = add %10, %7
    %13: i64 = load %0, %12 !r m0
    %14: f64 = for %11, %13, %7, %8 !r m0 {
    (%15: i64, %16: f64):
      %17: f64 = load %2, %15 !r m0
      %18: f64 = add %16, %17
      continue[0] %18
    }
    %19: f64 = mul %14, %5
    store %9, %19, %10 !w m1
    continue[0]
  }
  return %9
}

func @f array (%0: array<i64, 1> in m0, %1: array<i64, 1> in m0, %2: array<f64, 1> in m0, %3: array<f64, 1> in m0, %4: bool, %5: f64) -> (array<f64, 1>) {
  %6: i64 = dim[0] %3
  %7: i64 = dim[0] %0
  %8: i64 = const 1
  %9: i64 = sub %7, %8
  %10: array<f64, 1> in m1|m3 = if %4 !r m0|m2 {
    %11: array<f64, 1> in m1 = call[@sums.joined.3] %0, %1, %2, %9, %6, %5, %6, %3 !r m0
    yield %11
  } else {
    %12: i64 = dim[0] %0
    %13: i64 = const 1
    %14: i64 = sub %12, %13
    %15: array<f64, 1> in m2 = add %2, %2 !r m0
    %16: array<f64, 1> in m3 = call[@sums] %0, %1, %15, %14, %6, %5 !r m0|m2
    yield %16
  }
  %17: i64 = add %9, %6
  return %10
}

func @sums.joined.3 array operation "sums" (%0: array<i64, 1> in m0, %1: array<i64, 1> in m0, %2: array<f64, 1> in m0, %3: i64, %4: i64, %5: f64, %6: i64, %7: array<f64, 1> in m0) -> (array<f64, 1>) {
  %8: i64 = const 0
  %9: i64 = const 1
  %10: f64 = const 0.0
  %11: array<f64, 1> in m1 = zeros %3
  for %8, %3, %9 !r m0 !w m1 {
  (%12: i64):
    %13: i64 = load %0, %12 !r m0
    %14: i64 = add %12, %9
    %15: i64 = load %0, %14 !r m0
    %16: f64 = for %13, %15, %9, %10 !r m0 {
    (%17: i64, %18: f64):
      %19: i64 = load %1, %17 !r m0
      %20: f64 = load %2, %17 !r m0
      %21: f64 = load %7, %19 !r m0
      %22: f64 = mul %20, %21
      %23: f64 = add %18, %22
      continue[0] %23
    }
    %24: f64 = mul %16, %5
    store %11, %24, %12 !w m1
    continue[0]
  }
  return %11
}
