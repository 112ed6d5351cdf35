//! Makes arrays once that a loop makes in each iteration and nobody sees afterwards.
//!
//! ```text
//! for %i in 0, %n {                %t = empty %m
//!     %t = empty %m            ⇒   for %i in 0, %n {
//!     … store %t, load %t …            … store %t, load %t …
//! }                                }
//! ```
//!
//! Of an array of few zeros, each iteration writes them. It runs behind what gives iterations to threads: each run of a region has its
//! arrays then. Only arrays go whose elements alone are used, by functions of the runtime as well, in the loop alone, and which are small or as large as an argument:
//! there is room for them even where the loop does not run. Arrays of other lengths share memory where they have few elements (`few.rs`).

mod few;

use pydd_ir::rewrite::{Layout, Uses, move_before, position};
use pydd_ir::{Builder, Function, Level, Module, Op, OpKind, Value};

use super::fast_functions;
use crate::analysis::patterns::{elements_alone, param_length};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "hoist-arrays",
    summary: "make arrays once that a loop makes in each iteration",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// A constant length up to which there is room anyway.
const SHORT: i64 = 1 << 10;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    for func in fast_functions(module) {
        while let Some((array, looped)) = find(func) {
            report::made_once(cx, func, array, looped);
            if func.ops[array].kind == OpKind::Zeros {
                write_zeros(func, array);
            }
            move_before(func, array, looped);
        }
        few::share(func, cx);
    }
    Ok(())
}

/// An array and the loop that it can stand before.
fn find(func: &Function) -> Option<(Op, Op)> {
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    func.all_ops().into_iter().find_map(|array| {
        let data = &func.ops[array];
        if !matches!(data.kind, OpKind::Empty | OpKind::Zeros) {
            return None;
        }
        let looped = layout.parent(array).filter(|&around| func.ops[around].kind == OpKind::For)?;
        let lengths = data.args.iter().all(|&length| layout.dominates(func, length, looped))
            && has_room(func, &data.args)
            // Large blocks of zeros are made of memory that has them, as long as nobody touches it.
            && (data.kind == OpKind::Empty || data.args.iter().all(|&length| func.as_int(length).is_some()));
        (lengths && elements_alone(func, &uses, data.results[0], None)).then_some((array, looped))
    })
}

/// Puts loops that write zeros behind an array of zeros, which then need not begin with them.
fn write_zeros(func: &mut Function, array: Op) {
    let data = func.ops[array].clone();
    let scratch = func.new_block();
    let mut b = Builder { func: &mut *func, block: scratch, loc: data.loc };
    zero(&mut b, data.results[0], &data.args, &mut Vec::new());
    let made = std::mem::take(&mut func.blocks[scratch].ops);
    let (block, at) = position(func, array).expect("the array is made in a block");
    func.blocks[block].ops.splice(at + 1..=at, made);
    func.ops[array].kind = OpKind::Empty;
}

/// Loops over the axes of these lengths, within those over `indices`.
fn zero(b: &mut Builder<'_>, array: Value, lengths: &[Value], indices: &mut Vec<Value>) {
    let Some((&length, inner)) = lengths.split_first() else {
        let none = b.number(0.0, b.func.ty(array).dtype().expect("arrays have elements"));
        b.effect(OpKind::StoreRaw, [&[array, none], &indices[..]].concat());
        return;
    };
    let range = [b.int(0), length, b.int(1)];
    b.for_loop(range, &[], |b, index, _| {
        indices.push(index);
        zero(b, array, inner, indices);
        indices.pop();
        Vec::new()
    });
}

/// Whether there certainly is room for an array of these lengths: there is an argument that is as large, or it is small.
fn has_room(func: &Function, lengths: &[Value]) -> bool {
    let axis = |length: Value| param_length(func, length);
    let short = |length: Value| func.as_int(length).is_some_and(|length| (0..=SHORT).contains(&length));
    match *lengths {
        [length] => short(length) || axis(length).is_some(),
        [first, second] => match (axis(first), axis(second)) {
            (Some((array, 0)), Some((other, 1))) => array == other && func.ty(array).rank() == 2,
            (None, None) => short(first) && short(second),
            _ => false,
        },
        _ => false,
    }
}
