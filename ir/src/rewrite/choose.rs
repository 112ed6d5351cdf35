//! Two forms of one operation, and a choice between them when the program runs.

use crate::builder::Builder;
use crate::entity::{Op, Value};
use crate::func::Function;
use crate::op::OpKind;
use crate::rewrite::{Replacements, position};
use crate::types::Type;

/// Puts another form of an operation beside it.
///
/// ```text
///                    %c = condition
/// %x = op      ⇒     %y = if %c { …  yield other's results } else { %x = op  yield %x }
/// ```
///
/// What used the operation's results uses those of the choice.
///
/// `other` is given what `condition` made besides its value.
pub fn choose<T>(
    func: &mut Function,
    op: Op,
    condition: impl FnOnce(&mut Builder<'_>) -> (Value, T),
    other: impl FnOnce(&mut Builder<'_>, T) -> Vec<Value>,
) {
    let (results, loc) = (func.ops[op].results.clone(), func.ops[op].loc);
    let types: Vec<Type> = results.iter().map(|&result| func.ty(result)).collect();
    let (block, index) = position(func, op).expect("the operation stands in a block");
    let rest = func.blocks[block].ops.split_off(index);
    let mut b = Builder::new(func, block);
    b.loc = loc;
    let (condition, made) = condition(&mut b);
    let other = b.region(&[], |b, _| {
        let results = other(b, made);
        b.effect(OpKind::Yield, results);
    });
    let own = b.func.new_block();
    b.func.blocks[own].ops.push(op);
    let mut inner = Builder { func: &mut *b.func, block: own, loc };
    let end = inner.effect(OpKind::Yield, results.clone());
    let choice = b.op(OpKind::If, vec![condition], &types, vec![other, own]);
    func.blocks[block].ops.extend(rest.into_iter().skip(1));
    let mut replacements = Replacements::default();
    replacements.replace_all(&results, &func.ops[choice].results.clone());
    replacements.apply(func);
    // The branch itself still yields the operation's own results.
    func.ops[end].args = results;
}
