; error: slot0 is used in a `pfor` and elsewhere (rule 11)
func @f loop slots=1 (%a: array<f64, 1>, %i: i64) -> () {
  pfor %i, %i, %i {
  (%j: i64):
    own[slot0, retain] %a
    continue[0]
  }
  disown[slot0]
  return
}
