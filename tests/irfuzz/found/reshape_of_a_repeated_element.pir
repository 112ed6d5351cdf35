; irfuzz: pass:lower#16 value
; seed: 62715
; general: result 1
; expected: Some(Array { dims: [2], items: [Int(9, I64), Int(9, I64)], view: None })
;      got: Some(Array { dims: [2], items: [Int(9, I64), Int(9, I64)], view: Some((1, 8)) })
; args: ArgSet { buffers: [[0, 0, 0, 0, 0, 0, 19, 192, 0, 0, 0, 0, 0, 0, 19, 192, 0, 0, 0, 0, 0, 0, 24, 64, 0, 0, 0, 0, 0, 0, 8, 192, 0, 0, 0, 0, 0, 0, 18, 192, 0, 0, 0, 0, 0, 0, 252, 191], [253, 255, 255, 255, 255, 255, 255, 255, 9, 0, 0, 0, 0, 0, 0, 0], [90, 1, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]], grain: [(F64, 0), (I64, 0), (I64, 1)], args: [Array { buffer: 0, offset: 24, dims: [2], strides: [-24], dtype: F64 }, Array { buffer: 1, offset: 8, dims: [2], strides: [0], dtype: I64 }, Scalar(Float(-2.25, F64)), Array { buffer: 2, offset: 17, dims: [3], strides: [-8], dtype: I64 }, List(I64, [Int(0, I64)])] }
module "kernel" file "fuzz.pydd"
scopes "h0", "f"
export "f"("p0": array<f64, 1>, "p1": array<i64, 1>, "p2": f64, "p3": array<i64, 1>, "p4": list<i64>) -> (array<bool, 2>, array<i64, 1>, array<i64, 1>) = @f

func @f array (%0: array<f64, 1> in m0, %1: array<i64, 1> in m0, %2: f64, %3: array<i64, 1> in m0, %4: list<i64> in m1) -> (array<bool, 2>, array<i64, 1>, array<i64, 1>) {
  %5: i64 = const -1 at 30:1 in "f"
  %6: array<i64, 1> in m0|m2 = reshape %1, %5 !r m0 at 31:1 in "f"
  %7: i64 = const 1 at 36:1 in "f"
  %8: i64 = const 1 at 36:1 in "f"
  %9: array<bool, 2> in m3 = zeros %7, %8 at 36:1 in "f"
  %10: array<i64, 1> in m0|m2 = loop at 83:1 in "f" {
    %11: bool = const true at 53:1 in "f"
    if %11 at 56:1 in "f" {
      break[0] %6 at 54:1 in "f"
    } else {
      yield at 55:1 in "f"
    }
    continue[0] at 82:1 in "f"
  }
  return %9, %10, %1 at 89:1 in "f"
}
