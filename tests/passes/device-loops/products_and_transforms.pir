; A device's library may do a product of floats and a transform; a product of integers is the processor's.
; pass: device-loops
; count: device_matmul = 1
; count: device_fft = 1
; count: matmul = 1
; run: @f([[1.0, 2.0], [3.0, 4.0]], [[1, 0], [2, 1]]) = [[7.0, 10.0], [15.0, 22.0]], [[1, 0], [4, 1]]
func @f loop fast device slots=4 (%a: array<f64, 2>, %n: array<i64, 2>) -> (array<f64, 2>, array<i64, 2>) {
  %rows: i64 = dim[0] %a
  %one: f64 = const 1.0
  %b: array<f64, 2> = empty %rows, %rows
  own[slot0] %b
  matmul %a, %a, %b
  %m: array<i64, 2> = empty %rows, %rows
  own[slot1] %m
  matmul %n, %n, %m
  %x: array<c128, 1> = zeros %rows
  own[slot2] %x
  %y: array<c128, 1> = empty %rows
  own[slot3] %y
  fft %x, %y, %one
  return %b, %m
}
; ---- after
func @f loop fast device slots=4 (%0: array<f64, 2> in m0, %1: array<i64, 2> in m1) -> (array<f64, 2>, array<i64, 2>) {
  %2: i64 = dim[0] %0
  %3: f64 = const 1.0
  %4: array<f64, 2> in m2 = empty %2, %2
  own[slot0] %4 !w m2
  device_matmul %0, %0, %4 !r m0 !w m2
  %5: array<i64, 2> in m3 = empty %2, %2
  own[slot1] %5 !w m3
  matmul %1, %1, %5 !r m1|m3 !w m3
  %6: array<c128, 1> in m4 = zeros %2
  own[slot2] %6 !w m4
  %7: array<c128, 1> in m5 = empty %2
  own[slot3] %7 !w m5
  device_fft %6, %7, %3 !r m4 !w m5
  return %4, %5
}
