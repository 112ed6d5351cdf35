; A product finds its operands where they are and leaves its result there: nobody is asked for what the next one takes, and the processor asks before it reads.
; pass: coherence
; count: host_access = 1
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = 37.0
func @f loop fast device slots=2 (%a: array<f64, 2>) -> (f64) {
  %rows: i64 = dim[0] %a
  %zero: i64 = const 0
  %b: array<f64, 2> = empty %rows, %rows
  own[slot0] %b
  device_matmul %a, %a, %b
  %c: array<f64, 2> = empty %rows, %rows
  own[slot1] %c
  device_matmul %b, %a, %c
  %x: f64 = load_raw %c, %zero, %zero
  return %x
}
; ---- after
func @f loop fast device slots=2 (%0: array<f64, 2> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: array<f64, 2> in m1 = empty %1, %1
  own[slot0] %3 !w m1
  device_matmul %0, %0, %3 !r m0 !w m1
  %4: array<f64, 2> in m2 = empty %1, %1
  own[slot1] %4 !w m2
  device_matmul %3, %0, %4 !r m0|m1 !w m2
  %5: i64 = const 0
  %6: i64 = stride[0] %4
  %7: i64 = mul %2, %6
  %8: i64 = add %5, %7
  %9: i64 = stride[1] %4
  %10: i64 = mul %2, %9
  %11: i64 = add %8, %10
  %12: array<f64, 0> in m2 = raw_view %4, %11
  host_access[read] %12 !r m2
  %13: f64 = load_raw %4, %2, %2 !r m2
  return %13
}
