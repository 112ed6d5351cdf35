; Each operation of array IR, each form of attributes and constants.
module "every" file "every.pydd" doc "All of it.\nIn two lines: \"quoted\", \u{7}."
scopes "f", "g h"
export "f"("a": array<f64, 2>, "n": weak i64, "c": c128 = complex(0.0, -1.5), "u": u64 = 18446744073709551615) -> (none, weak f64, (i32, list<f64>)) = @f if contiguous apart, @"f general" doc "Doc."
export "g"() -> none = @g

func @f array fast (%0: array<f64, 2> in m0, %1: i64, %2: c128, %3: u64) -> (f64, i32, list<f64>) {
  %4: bool = const true at 3:5 in "f"
  %5: i64 = const -9223372036854775808 at 4:1 in "g h"
  %6: f64 = const 1e300
  %7: f64 = const -0.0
  %8: f64 = const nan
  %9: f64 = const -inf
  %10: f32 = const 0.10000000149011612
  %11: c128 = const complex(nan, inf)
  %12: str = const "a \"b\" \\ é"
  %13: u64 = const 18446744073709551615
  %14: i64 = const 2
  %15: i64 = dim[1] %0
  %16: array<f64, 2> in m1 = empty %1, %15
  %17: array<f64, 2> in m2 = zeros %1, %15
  %18: array<c128, 1> in m3 = full %11, %15
  %19: array<i64, 1> in m4 = iota %14, %14, %1
  %20: array<f64, 2> in m5 = copy %0 !r m0
  %21: array<f64, 2> in m0 = view[at, start:stop:step, new] %0, %1, %1, %1, %14
  %22: array<f64, 4> in m0 = view[:, new, ::step, new] %0, %14
  %23: array<f64, 2> in m0 = view[start:, :stop] %0, %1, %1
  %24: array<f64, 2> in m0 = transpose[1, 0] %0
  %25: array<f64, 1> in m0|m6 = reshape %0, %14 !r m0
  %26: array<f64, 3> in m0 = broadcast_to %0, %14, %1, %15
  %27: f64 = load %0, %1, %1 !r m0
  store %17, %27, %1, %1 !w m2
  assign %16, %17 !r m2 !w m1
  %28: array<f64, 2> in m7, %29: array<bool, 2> in m8 = map %0, %6 !r m0 {
  (%30: f64, %31: f64):
    %32: f64 = add %30, %31
    %33: bool = lt %30, %31
    yield %32, %33
  }
  map[into] %16, %0 !r m0|m1 !w m1 {
  (%34: f64, %35: f64):
    yield %35
  }
  %36: array<f64, 1> in m9 = map[reduce sum axes 0] %0, %16 !r m0|m1 {
  (%37: f64, %38: f64):
    %39: f64 = mul %37, %38
    yield %39
  }
  %40: f64 = reduce[max] %0 !r m0
  %41: array<i64, 2> in m10 = reduce[argmin axes 1 keepdims] %0 !r m0
  %42: array<f64, 2> in m11 = reduce[prod axes] %0 !r m0
  %43: array<f64, 2> in m12 = matmul %0, %24 !r m0
  %44: f64 = time
  %45: list<f64> in m13 = list_new %6, %7
  %46: i64 = list_len %45 !r m13
  %47: f64 = list_get %45, %5 !r m13
  list_set %45, %5, %47 !w m13
  list_append %45, %8 !w m13
  list_prepend %45, %8 !w m13
  list_truncate %45, %5 !w m13
  list_drop_front %45, %5 !w m13
  %48: f64 = if %4 {
    yield %9
  } else {
    raise[ValueError, "no {0}"] %5
  }
  %49: i64 = pfor[sum] %5, %1, %14, %14 {
  (%50: i64, %51: i64):
    %52: i64 = add %50, %51
    continue[0] %52
  }
  %53: f64 = loop %6 {
  (%54: f64):
    if %4 {
      break[0] %54
    } else {
      yield
    }
    continue[0] %54
  }
  %55: i32 = scope {
    %56: i32 = cast %14
    break[0] %56
  }
  check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %4, %1, %15
  check[AssertionError] %4
  check[KeyError, key "({0}, {1})"] %4, %1, %15
  print[weak, np, np, sep ", ", end ""] %6, %10, %12
  print
  call[@g]
  %57: f64 = select %4, %53, %48
  return %57, %55, %45
}

func @"f general" array general recursive (%0: array<f64, 2> in m0, %1: i64, %2: c128, %3: u64) -> (f64, i32, list<f64>) {
  unreachable
}

func @g array () -> () {
  return
}
