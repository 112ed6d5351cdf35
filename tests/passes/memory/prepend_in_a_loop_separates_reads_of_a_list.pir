;     def f(l, n):
;         s = 0.0
;         for i in range(n):
;             s += l[0]
;             l.insert(0, s)
;         return s
; pass: licm, cse, fuse, dce
; count: list_get in loops = 1
; run: @f([1.0, 2.0], 3) = 4.0
func @f array (%0: list<f64> in m0, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: f64 = for %2, %1, %3, %4 {
  (%6: i64, %7: f64):
    %8: f64 = list_get %0, %2 !r m0
    %9: f64 = add %7, %8
    list_prepend %0, %9 !w m0
    continue %9
  }
  return %5
}
