//! What the user is told about checks in loops (`pyddc --report`).

use std::collections::BTreeMap;

use pydd_ir::rewrite::Layout;
use pydd_ir::{Exc, Function, Loc, Op, OpKind, Value, ValueDef};

use crate::analysis::known::Known;
use crate::analysis::patterns::unsigned_comparison;
use crate::analysis::ranges::Ranges;
use crate::analysis::symbol::Symbol;
use crate::pass::Finding;

/// Why a check was not decided before its loop, with the place where the reason stands.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Reason {
    text: &'static str,
    place: Option<(Loc, &'static str)>,
}

pub(super) fn versioned(func: &Function, looped: Op, checks: usize) -> Finding {
    let what = match checks {
        1 => "one check in it is".to_owned(),
        n => format!("{n} checks in it are"),
    };
    let loc = func.ops[looped].loc;
    Finding::new("loop-versioned", loc, format!("loop compiled twice: {what} decided before it"))
        .label(loc, "runs without them, or with them where the test says no")
}

/// The remark about a check that stays in a loop.
pub(super) fn stays(
    func: &Function,
    layout: &Layout,
    op: Op,
    reasons: &BTreeMap<Op, Reason>,
) -> Option<Finding> {
    let data = &func.ops[op];
    let OpKind::Check { exc, .. } = &data.kind else { return None };
    layout.ancestors(op).find(|&around| func.ops[around].kind.is_loop())?;
    let what = match exc {
        Exc::IndexError => "index",
        Exc::ZeroDivisionError => "divisor",
        _ => "condition",
    };
    let grown = Reason { text: "copies of the loop would make the function too long", place: None };
    let reason = reasons.get(&op).unwrap_or(&grown);
    let finding = Finding::new("loop-check", data.loc, format!("{what} checked in each iteration"))
        .label(data.loc, reason.text);
    Some(match reason.place {
        Some((loc, text)) if loc != data.loc => finding.label(loc, text),
        _ => finding,
    })
}

/// What keeps a check from being decided before the innermost loop around it.
pub(super) fn reason(ranges: &Ranges<'_>, check: Op, looped: Op) -> Reason {
    let func = ranges.func();
    let condition = func.ops[check].args[0];
    let compared = match unsigned_comparison(func, condition) {
        Some([index, length]) => {
            vec![ranges.wrapped_index(index, &ranges.form(length)).unwrap_or(index), length]
        }
        None => func.def_op(condition).map(|op| func.ops[op].args.clone()).unwrap_or_default(),
    };
    let unknown = Reason { text: "its range cannot be computed before the loop", place: None };
    for value in compared {
        let sum = ranges.form(value);
        let mut inner = sum.symbols().filter(|&symbol| !ranges.is_visible(symbol, looped));
        let found = inner.find_map(|symbol| match symbol {
            Symbol::Value(value) => source(func, value),
            _ => None,
        });
        if let Some(found) = found {
            return found;
        }
    }
    unknown
}

/// What a value that changes in a loop is, where that is the reason.
fn source(func: &Function, value: Value) -> Option<Reason> {
    let ValueDef::Result(op, _) = func.values[value].def else {
        let ValueDef::Param(block, index) = func.values[value].def else { return None };
        // The first parameter of a counted loop is its index, whose bounds are known.
        let counted =
            func.ops.iter().any(|(_, data)| data.regions.contains(&block) && data.kind != OpKind::Loop);
        let text = "it is carried from iteration to iteration in a way that nothing bounds";
        return (!(counted && index == 0)).then_some(Reason { text, place: None });
    };
    let data = &func.ops[op];
    let (text, place) = match data.kind {
        OpKind::LoadRaw | OpKind::ListGet => ("it is data, which nothing is known of", "loaded here"),
        OpKind::Call(_) => ("it is what a function gives", "called here"),
        OpKind::Cast => ("it is converted from another type", "converted here"),
        _ => ("how it is computed is not followed", "computed here"),
    };
    Some(Reason { text, place: (data.loc.line != 0).then_some((data.loc, place)) })
}
