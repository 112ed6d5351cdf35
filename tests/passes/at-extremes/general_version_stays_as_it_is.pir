; There each reduction walks over memory.
; pass: at-extremes
; count: reduce = 1
func @f array general (%a: array<i64, 1>) -> (i64) {
  %d: array<i64, 1> = mul %a, %a
  %k: i64 = reduce[argmin] %d
  %x: i64 = load %d, %k
  return %x
}
