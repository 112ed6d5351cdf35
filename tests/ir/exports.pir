module "exports" file "exports.pydd"
export "f"("x": f64 = 1.0, keyword "y": f64, keyword "n": weak i64 = 3) -> f64 = @f
export "f"("x": none = false, "mode": constant "su\"m" = "su\"m", "k": constant -3, "flag": constant true = true) -> f64 = @h
export "g"("h": tuples<f64, (weak i64, bool)>, "d": dict<weak i64, f64>) -> tuples<weak i64> = @g
export "k"("a": cast array<f64, 1>, "b": cast written array<f64, 1>) -> f64 = @k
export "u"("x": array<f64, 2>, "out": written array<f64, 1>) -> none ufunc "(n)->()" generalized identity zero = @u.fast if contiguous apart, @u
export "v"("x": array<f32, 1>, "out": written array<bool, 1>) -> none ufunc "()->()" = @v

func @f array (%0: f64, %1: f64, %2: i64) -> (f64) {
  return %1
}

func @k array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (f64) {
  %2: f64 = const 1.0
  return %2
}

func @h array () -> (f64) {
  %0: f64 = const 1.0
  return %0
}

func @g array (%0: list<f64> in m0, %1: list<i64> in m1, %2: list<bool> in m2, %3: list<i64> in m1, %4: list<f64> in m0, %5: list<i32> in m3, %6: list<bool> in m2) -> (list<i64>) {
  return %1
}

func @u.fast array fast (%0: array<f64, 2> in m0, %1: array<f64, 1> in m1) -> () {
  return
}

func @u array general (%0: array<f64, 2> in m0, %1: array<f64, 1> in m0) -> () {
  return
}

func @v array (%0: array<f32, 1> in m0, %1: array<bool, 1> in m0) -> () {
  return
}
