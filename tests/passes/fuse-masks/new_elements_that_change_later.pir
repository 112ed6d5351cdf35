; The sum changes when the copy has it.
; pass: fuse-masks
; count: call = 3
; count: assign = 2
; run: @f([1.0, 2.0, 4.0], [10.0, 20.0, 30.0], [true, false, true]) = [11.0, 2.0, 34.0]
func @masked_elements array operation "masked_elements" (%a: array<f64, 1>, %m: array<bool, 1>) -> (array<f64, 1>) {
  %n: i64 = dim[0] %m
  %zero: i64 = const 0
  %one: i64 = const 1
  %count: i64 = for %zero, %n, %one, %zero {
  (%i: i64, %so_far: i64):
    %is: bool = load %m, %i
    %add: i64 = cast %is
    %more: i64 = add %so_far, %add
    continue[0] %more
  }
  %c: array<f64, 1> = empty %count
  %end: i64 = for %zero, %n, %one, %zero {
  (%j: i64, %at: i64):
    %kept: bool = load %m, %j
    %next: i64 = if %kept {
      %x: f64 = load %a, %j
      store %c, %x, %at
      %after: i64 = add %at, %one
      yield %after
    } else {
      yield %at
    }
    continue[0] %next
  }
  return %c
}

func @put_masked array operation "put_masked" (%a: array<f64, 1>, %m: array<bool, 1>, %v: array<f64, 1>) -> () {
  %n: i64 = dim[0] %m
  %zero: i64 = const 0
  %one: i64 = const 1
  %end: i64 = for %zero, %n, %one, %zero {
  (%j: i64, %at: i64):
    %kept: bool = load %m, %j
    %next: i64 = if %kept {
      %x: f64 = load %v, %at
      store %a, %x, %j
      %after: i64 = add %at, %one
      yield %after
    } else {
      yield %at
    }
    continue[0] %next
  }
  return
}

func @f array fast (%a: array<f64, 1>, %b: array<f64, 1>, %m: array<bool, 1>) -> (array<f64, 1>) {
  %y: array<f64, 1> = call[@masked_elements] %b, %m
  %x: array<f64, 1> = call[@masked_elements] %a, %m
  %sum: array<f64, 1> = add %x, %y
  assign %x, %sum
  assign %sum, %y
  call[@put_masked] %a, %m, %x
  return %a
}
