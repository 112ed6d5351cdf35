//! Where jumps out of the body of a loop lead.

use pydd_ir::{Block, Function, Op, OpKind};

/// Where an iteration may go on with the next one, besides at its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Early {
    Nowhere,
    /// Outside of the loops and scopes within.
    Outside,
    Anywhere,
}

/// Whether all iterations of a loop with this body end at its end: nothing leaves the loop, or an iteration early.
#[must_use]
pub fn runs_to_its_end(func: &Function, body: Block) -> bool {
    let Some((&end, before)) = func.blocks[body].ops.split_last() else { return false };
    func.ops[end].kind == OpKind::Continue(0) && !before.iter().any(|&op| leaves(func, op, 0, Early::Nowhere))
}

/// Whether nothing leaves a loop with this body; iterations may end early.
#[must_use]
pub fn stays_in_loop(func: &Function, body: Block) -> bool {
    !func.blocks[body].ops.iter().any(|&op| leaves(func, op, 0, Early::Anywhere))
}

/// As [`stays_in_loop`], and nothing within ends an iteration from inside a loop or scope of its own.
#[must_use]
pub fn stays_in_iteration(func: &Function, body: Block) -> bool {
    !func.blocks[body].ops.iter().any(|&op| leaves(func, op, 0, Early::Outside))
}

/// Whether an operation, or one within it, jumps out of so many breakable operations around it, or further; to the next iteration
/// of the outermost of them, unless that may be `early`.
fn leaves(func: &Function, op: Op, depth: u32, early: Early) -> bool {
    let data = &func.ops[op];
    let inside = depth + u32::from(data.kind.is_breakable());
    match data.kind {
        OpKind::Return => true,
        OpKind::Break(levels) => levels >= depth,
        OpKind::Continue(levels) if levels == depth => match early {
            Early::Nowhere => true,
            Early::Outside => depth > 0,
            Early::Anywhere => false,
        },
        OpKind::Continue(levels) => levels > depth,
        _ => data
            .regions
            .iter()
            .any(|&region| func.blocks[region].ops.iter().any(|&inner| leaves(func, inner, inside, early))),
    }
}

/// Where an iteration of a loop ends, or the loop.
pub struct End {
    pub op: Op,
    pub is_break: bool,
}

/// All ends of the iterations of a loop with this body, wherever they stand within.
#[must_use]
pub fn ends(func: &Function, body: Block) -> Vec<End> {
    let mut found = Vec::new();
    let mut open = vec![(body, 0)];
    while let Some((block, depth)) = open.pop() {
        for &op in &func.blocks[block].ops {
            let data = &func.ops[op];
            match data.kind {
                OpKind::Break(levels) if levels == depth => found.push(End { op, is_break: true }),
                OpKind::Continue(levels) if levels == depth => found.push(End { op, is_break: false }),
                _ => {}
            }
            let inside = depth + u32::from(data.kind.is_breakable());
            open.extend(data.regions.iter().map(|&region| (region, inside)));
        }
    }
    found
}
