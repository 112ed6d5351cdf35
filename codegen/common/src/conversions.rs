//! Which conversions of floats to integers are followed by the question whether they worked.

use pydd_ir::{ElemOp, Entity, Function, Literal, OpKind};

/// The casts whose result is compared with the least int64, which stands for all that does not fit; by `Op`.
#[must_use]
pub fn asked(func: &Function) -> Vec<bool> {
    let mut marks = vec![false; func.ops.len()];
    for op in func.all_ops() {
        let data = &func.ops[op];
        let (OpKind::Elem(ElemOp::Eq | ElemOp::Ne), &[value, least]) = (&data.kind, &data.args[..]) else {
            continue;
        };
        let cast = func.def_op(value).filter(|&def| func.ops[def].kind == OpKind::Cast);
        if let Some(cast) = cast
            && func.as_const(least) == Some(&Literal::Int(i64::MIN))
        {
            marks[cast.index()] = true;
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_compared_with_the_least_integer_is_asked() {
        let module = pydd_ir::text::parse(
            r#"module "m" file "m.pydd"
func @f loop (%0: f64) -> (bool, bool) {
  %1: i64 = cast %0
  %2: i64 = const -9223372036854775808
  %3: bool = eq %1, %2
  %4: f64 = add %0, %0
  %5: i64 = cast %4
  %6: i64 = const 0
  %7: bool = eq %5, %6
  return %3, %7
}
"#,
        );
        let module = module.unwrap();
        let func = module.funcs.values().next().unwrap();
        let casts = func.all_ops().into_iter().filter(|&op| func.ops[op].kind == OpKind::Cast);
        let marks = asked(func);
        assert_eq!(casts.map(|op| marks[op.index()]).collect::<Vec<_>>(), [true, false]);
    }
}
