//! Keeps the elements of small arrays of known size as numbers.
//!
//! ```text
//! %t = empty 2                       for … {
//! for … {                                %x = …
//!     store %t[0], %x            ⇒       %y = …
//!     store %t[1], %y                    … add %x, %y …
//!     … load %t[0] + load %t[1] …    }
//! }
//! ```
//!
//! What a branch stores is what it gives; what a loop stores it carries. So an array of few elements, or what is left of
//! one for one iteration (see [`contract`](super::contract)), costs neither memory nor a call.
//!
//! It leaves arrays alone whose elements are not all named by constants, that are seen as a whole, or that a parallel loop around
//! which they stand writes.

use pydd_ir::rewrite::{Layout, Replacements, Uses};
use pydd_ir::{Block, Builder, Function, Level, Module, Op, OpKind, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

use super::fast_functions;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "scalarize",
    summary: "keep the elements of small arrays as numbers",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Elements of a small array, at most.
const SMALL: i64 = 16;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    for func in fast_functions(module) {
        while let Some(array) = find(func) {
            report::scalarized(cx, func, array.made, array.count);
            scalarize(func, &array);
        }
    }
    Ok(())
}

/// How long the axes of a made array are, if it is a small one.
#[must_use]
pub fn small_array(func: &Function, made: Op) -> Option<Vec<i64>> {
    let data = &func.ops[made];
    if !matches!(data.kind, OpKind::Empty | OpKind::Zeros) {
        return None;
    }
    let length = |&dim: &Value| func.as_int(dim).filter(|length| (1..=SMALL).contains(length));
    let dims: Vec<i64> = data.args.iter().map(length).collect::<Option<_>>()?;
    let count = dims.iter().try_fold(1_i64, |count, &dim| count.checked_mul(dim))?;
    (count <= SMALL).then_some(dims)
}

/// A small array, and which element each access is of.
struct Array {
    made: Op,
    count: usize,
    elements: BTreeMap<Op, usize>,
    /// By operation with regions, the elements that something within stores.
    stored: BTreeMap<Op, BTreeSet<usize>>,
}

fn find(func: &Function) -> Option<Array> {
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    func.all_ops().into_iter().find_map(|op| array(func, &layout, &uses, op))
}

fn array(func: &Function, layout: &Layout, uses: &Uses, made: Op) -> Option<Array> {
    let dims = small_array(func, made)?;
    let home = layout.block_of(made)?;
    let (mut elements, mut stored) = (BTreeMap::new(), BTreeMap::<Op, BTreeSet<usize>>::new());
    for found in uses.of(func.result(made)) {
        let data = &func.ops[found.op];
        let indices = match data.kind {
            OpKind::LoadRaw => &data.args[1..],
            OpKind::StoreRaw if found.index == 0 => &data.args[2..],
            _ => return None,
        };
        let element = element(func, &dims, indices)?;
        elements.insert(found.op, element);
        if data.kind == OpKind::StoreRaw {
            for around in layout.ancestors(found.op).take_while(|&op| !layout.is_block_inside(home, op)) {
                if matches!(func.ops[around].kind, OpKind::PFor(_)) {
                    return None;
                }
                stored.entry(around).or_default().insert(element);
            }
        }
    }
    let count = usize::try_from(dims.iter().product::<i64>()).ok()?;
    Some(Array { made, count, elements, stored })
}

/// The row-major position of constant indices.
fn element(func: &Function, dims: &[i64], indices: &[Value]) -> Option<usize> {
    let mut position = 0;
    for (&dim, &index) in dims.iter().zip(indices) {
        let index = func.as_int(index).filter(|index| (0..dim).contains(index))?;
        position = position * dim + index;
    }
    usize::try_from(position).ok()
}

fn scalarize(func: &mut Function, array: &Array) {
    let dtype = func.ty(func.result(array.made)).dtype().expect("arrays have elements");
    let (block, at) = pydd_ir::rewrite::position(func, array.made).expect("it stands in a block");
    let scratch = func.new_block();
    let zero = Builder::new(func, scratch).number(0.0, dtype);
    let made = std::mem::take(&mut func.blocks[scratch].ops);
    func.blocks[block].ops.splice(at..=at, made);
    let mut walk = Walk {
        func,
        array,
        ty: Type::Scalar(dtype),
        around: Vec::new(),
        replacements: Replacements::default(),
    };
    let mut now = vec![zero; array.count];
    walk.block(block, &mut now);
    let Walk { replacements, .. } = walk;
    replacements.apply(func);
}

struct Walk<'a> {
    func: &'a mut Function,
    array: &'a Array,
    ty: Type,
    /// Operations around that have values of the elements to take: whether they are breakable, and which elements.
    around: Vec<(bool, Vec<usize>)>,
    replacements: Replacements,
}

impl Walk<'_> {
    /// Replaces what a block does with the array; `now` is what the elements are, before and behind it.
    fn block(&mut self, block: Block, now: &mut [Value]) {
        let ops = std::mem::take(&mut self.func.blocks[block].ops);
        let mut kept = Vec::with_capacity(ops.len());
        for op in ops {
            if let Some(&element) = self.array.elements.get(&op) {
                let data = &self.func.ops[op];
                if data.kind == OpKind::LoadRaw {
                    self.replacements.replace(data.results[0], now[element]);
                } else {
                    now[element] = data.args[1];
                }
                continue;
            }
            self.jump(op, now);
            if !self.func.ops[op].regions.is_empty() {
                self.regions(op, now);
            }
            kept.push(op);
        }
        self.func.blocks[block].ops = kept;
    }

    /// Jumps take what the elements are along.
    fn jump(&mut self, op: Op, now: &[Value]) {
        let target = match self.func.ops[op].kind {
            OpKind::Yield => self.around.last(),
            OpKind::Continue(levels) | OpKind::Break(levels) => {
                self.around.iter().rev().filter(|(breakable, _)| *breakable).nth(levels as usize)
            }
            _ => None,
        };
        if let Some((_, elements)) = target {
            let taken: Vec<Value> = elements.iter().map(|&element| now[element]).collect();
            self.func.ops[op].args.extend(taken);
        }
    }

    fn regions(&mut self, op: Op, now: &mut [Value]) {
        let stored: Vec<usize> = self.array.stored.get(&op).into_iter().flatten().copied().collect();
        let kind = self.func.ops[op].kind.clone();
        let carries = matches!(kind, OpKind::For | OpKind::Loop);
        if carries {
            self.func.ops[op].args.extend(stored.iter().map(|&element| now[element]));
        }
        self.around.push((kind.is_breakable(), stored.clone()));
        for region in self.func.ops[op].regions.clone() {
            let mut inside = now.to_vec();
            if carries {
                for &element in &stored {
                    inside[element] = self.func.add_param(region, self.ty);
                }
            }
            self.block(region, &mut inside);
        }
        self.around.pop();
        for &element in &stored {
            now[element] = self.func.add_result(op, self.ty);
        }
    }
}
