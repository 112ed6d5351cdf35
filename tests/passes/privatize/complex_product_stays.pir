; An infinite complex number times 1 is not itself.
; pass: privatize
; count: if = 0
func @f array fast (%0: array<c128, 1> in m0, %1: array<c128, 1> in m1) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = dim[0] %1
  pfor[| reduced prod, sliced read [i]] %2, %4, %3, %0, %1 !r m0|m1 !w m0 {
  (%5: i64):
    %6: c128 = load %1, %5 !r m1
    %7: c128 = load %0, %2 !r m0
    %8: c128 = mul %7, %6
    store %0, %8, %2 !w m0
    continue[0]
  }
  return
}
