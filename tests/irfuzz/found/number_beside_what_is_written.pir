; irfuzz: pass:write-behind#47 panic
; seed: 705006
; index out of bounds: the len is 1 but the index is 1
module "kernel" file "fuzz.pydd"
scopes "h0", "f"
export "f"("p0": array<i64, 0>, "p1": bool, "p2": i64, "p3": written list<i64>) -> (array<i64, 0>) = @f

func @h0 array (%0: array<i64, 0> in m0, %1: array<bool, 3> in m0) -> () {
  return at 9:1 in "h0"
}

func @f array (%0: array<i64, 0> in m0, %1: bool, %2: i64, %3: list<i64> in m1) -> (array<i64, 0>) {
  %4: array<i64, 0> in m2 = copy %0 !r m0 at 11:1 in "f"
  %5: i64 = const -1 at 12:1 in "f"
  %6: array<i64, 1> in m2|m3 = reshape %4, %5 !r m2 at 13:1 in "f"
  assign %6, %6 !r m2|m3 !w m2|m3 at 14:1 in "f"
  %7: f64 = const 2.0 at 17:1 in "f"
  %8: f64 = const -2.5 at 18:1 in "f"
  %9: i64 = const 1 at 19:1 in "f"
  %10: array<f64, 1> in m4 = iota %7, %8, %9 at 20:1 in "f"
  %11: f64 = const 5.5 at 21:1 in "f"
  %12: i64 = const 1 at 22:1 in "f"
  store %10, %11, %12 !w m4 at 23:1 in "f"
  %13: i64 = const 1 at 24:1 in "f"
  %14: array<i64, 1> in m0 = broadcast_to %0, %13 at 25:1 in "f"
  %15: array<i64, 1> in m5 = or %6, %6 !r m2|m3 at 26:1 in "f"
  %16: array<f64, 0> in m6 = zeros at 27:1 in "f"
  %17: array<f64, 1> in m7 = min %10, %16 !r m4|m6 at 28:1 in "f"
  map[into] %15 !r m5 !w m5 at 31:1 in "f" {
  (%18: i64):
    yield %9 at 30:1 in "f"
  }
  %19: f64 = const 0.5 at 32:1 in "f"
  %20: i64 = const 0 at 33:1 in "f"
  store %10, %19, %20 !w m4 at 34:1 in "f"
  %21: i64 = const 1 at 35:1 in "f"
  %22: i64 = loop at 48:1 in "f" {
    %23: bool = const true at 41:1 in "f"
    if %23 at 44:1 in "f" {
      yield at 43:1 in "f"
    } else {
      break[0] %21 at 42:1 in "f"
    }
    continue[0] at 47:1 in "f"
  }
  %24: i64 = const -1 at 51:1 in "f"
  %25: i64 = const 1 at 57:1 in "f"
  %26: array<f64, 1> in m7 = view[start::step] %17, %25, %24 at 58:1 in "f"
  %27: i64 = const -1 at 61:1 in "f"
  %28: i64 = const 1 at 67:1 in "f"
  %29: array<f64, 1> in m7 = view[start::step] %17, %28, %27 at 68:1 in "f"
  assign %26, %29 !r m7 !w m7 at 69:1 in "f"
  %30: array<i64, 1> in m8 = add %0, %15 !r m0|m5 at 71:1 in "f"
  %31: i64 = const 1 at 120:1 in "f"
  list_append %3, %31 !w m1 at 121:1 in "f"
  %32: i64 = const 1 at 122:1 in "f"
  list_append %3, %32 !w m1 at 123:1 in "f"
  %33: i64 = const 1 at 124:1 in "f"
  list_append %3, %33 !w m1 at 125:1 in "f"
  %34: i64 = const 1 at 129:1 in "f"
  list_append %3, %34 !w m1 at 130:1 in "f"
  %35: i64 = const 1 at 134:1 in "f"
  list_append %3, %35 !w m1 at 135:1 in "f"
  %36: i64 = const 1 at 136:1 in "f"
  list_append %3, %36 !w m1 at 137:1 in "f"
  list_append %3, %22 !w m1 at 138:1 in "f"
  return %0 at 139:1 in "f"
}
