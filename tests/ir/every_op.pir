; Each operation of array IR, each form of attributes and constants.
module "every" file "every.pydd" doc "All of it.\nIn two lines: \"quoted\", \u{7}."
scopes "f", "g h"
export "f"("a": array<f64, 2>, "n": weak i64 = 3, "c": c128 = complex(0.0, -1.5), "l": list<i64>, "u": u64 = 18446744073709551615) -> (none, weak f64, (i32, list<f64>)) = @f, @"f general" doc "Doc."
export "g"() -> none = @g

func @f array fast (%0: array<f64, 2> in m0, %1: i64, %2: c128, %3: list<i64> in m1, %4: u64) -> (f64, i32, list<f64>) {
  %5: bool = const true at 3:5 in "f"
  %6: i64 = const -9223372036854775808 at 4:1 in "g h"
  %7: f64 = const 1e300
  %8: f64 = const -0.0
  %9: f64 = const nan
  %10: f64 = const -inf
  %11: f32 = const 0.10000000149011612
  %12: c128 = const complex(nan, inf)
  %13: str = const "a \"b\" \\ é"
  %14: u64 = const 18446744073709551615
  %15: i64 = const 2
  %16: i64 = dim[1] %0
  %17: array<f64, 2> in m2 = empty %1, %16
  %18: array<f64, 2> in m3 = zeros %1, %16
  %19: array<c128, 1> in m4 = full %12, %16
  %20: array<i64, 1> in m5 = iota %15, %15, %1
  %21: array<f64, 2> in m6 = copy %0 !r m0
  %22: array<f64, 2> in m0 = view[at, start:stop:step, new] %0, %1, %1, %1, %15
  %23: array<f64, 4> in m0 = view[:, new, ::step, new] %0, %15
  %24: array<f64, 2> in m0 = view[start:, :stop] %0, %1, %1
  %25: array<f64, 2> in m0 = transpose[1, 0] %0
  %26: array<f64, 1> in m0|m7 = reshape %0, %15 !r m0
  %27: array<f64, 3> in m0 = broadcast_to %0, %15, %1, %16
  %28: f64 = load %0, %1, %1 !r m0
  store %18, %28, %1, %1 !w m3
  assign %17, %18 !r m3 !w m2
  %29: array<f64, 2> in m8, %30: array<bool, 2> in m9 = map %0, %7 !r m0 {
  (%31: f64, %32: f64):
    %33: f64 = add %31, %32
    %34: bool = lt %31, %32
    yield %33, %34
  }
  map[into] %17, %0 !r m0|m2 !w m2 {
  (%35: f64, %36: f64):
    yield %36
  }
  %37: array<f64, 1> in m10 = map[reduce sum axes 0] %0, %17 !r m0|m2 {
  (%38: f64, %39: f64):
    %40: f64 = mul %38, %39
    yield %40
  }
  %41: f64 = reduce[max] %0 !r m0
  %42: array<i64, 2> in m11 = reduce[argmin axes 1 keepdims] %0 !r m0
  %43: array<f64, 2> in m12 = reduce[prod axes] %0 !r m0
  %44: array<f64, 2> in m13 = matmul %0, %25 !r m0
  %45: f64 = time
  %46: list<f64> in m14 = list_new %7, %8
  %47: i64 = list_len %46 !r m14
  %48: f64 = list_get %46, %6 !r m14
  list_set %46, %6, %48 !w m14
  list_append %46, %9 !w m14
  %49: f64 = if %5 {
    yield %10
  } else {
    raise[ValueError, "no {0}"] %6
  }
  %50: i64 = pfor[sum] %6, %1, %15, %15 {
  (%51: i64, %52: i64):
    %53: i64 = add %51, %52
    continue[0] %53
  }
  %54: f64 = loop %7 {
  (%55: f64):
    if %5 {
      break[0] %55
    } else {
      yield
    }
    continue[0] %55
  }
  %56: i32 = scope {
    %57: i32 = cast %15
    break[0] %57
  }
  check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %5, %1, %16
  check[AssertionError] %5
  print[weak, np, np, sep ", ", end ""] %7, %11, %13
  print
  call[@g]
  %58: f64 = select %5, %54, %49
  return %58, %56, %46
}

func @"f general" array general recursive (%0: array<f64, 2> in m0, %1: i64, %2: c128, %3: list<i64> in m1, %4: u64) -> (f64, i32, list<f64>) {
  unreachable
}

func @g array () -> () {
  return
}
