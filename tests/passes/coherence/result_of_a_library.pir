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
  host_access[read] %4 !r m2
  %5: f64 = load_raw %4, %2, %2 !r m2
  return %5
}
