//! Which values of a loop's body differ between its iterations at one and the same step of the loop within.

use std::collections::BTreeSet;

use pydd_ir::{Block, Function, Op, OpKind, Value};

/// Values that may differ between lanes. Those of lanes that have left count for nothing.
#[derive(Default)]
pub struct Divergence {
    values: BTreeSet<Value>,
}

/// A breakable operation around the place that is looked at.
struct Target {
    op: Op,
    /// Whether a condition that differs decides whether the place is reached, seen from within the operation.
    divided: bool,
    /// How often a value is given to the next iteration.
    continues: usize,
}

impl Divergence {
    /// Of the operations of a body whose parameters differ.
    #[must_use]
    pub fn new(func: &Function, body: Block) -> Self {
        let mut found = Self { values: func.blocks[body].params.iter().copied().collect() };
        loop {
            let before = found.values.len();
            found.block(func, body, &mut Vec::new());
            if found.values.len() == before {
                return found;
            }
        }
    }

    #[must_use]
    pub fn contains(&self, value: Value) -> bool {
        self.values.contains(&value)
    }

    fn any(&self, values: &[Value]) -> bool {
        values.iter().any(|&value| self.contains(value))
    }

    fn add_where(&mut self, values: &[Value], given: &[Value], all: bool) {
        for (&value, &given) in values.iter().zip(given) {
            if all || self.contains(given) {
                self.values.insert(value);
            }
        }
    }

    fn block(&mut self, func: &Function, block: Block, around: &mut Vec<Target>) {
        for &op in &func.blocks[block].ops {
            let data = &func.ops[op];
            match data.kind {
                OpKind::If => self.branch(func, op, around),
                OpKind::Scope => self.inside(func, op, around),
                OpKind::Loop | OpKind::For => {
                    let skipped = if data.kind == OpKind::For { 3 } else { 0 };
                    let params = func.blocks[data.regions[0]].params.clone();
                    let params = &params[params.len() - (data.args.len() - skipped)..];
                    self.add_where(params, &data.args[skipped..], false);
                    self.inside(func, op, around);
                    if data.kind == OpKind::For {
                        self.add_where(&data.results, params, false);
                    }
                }
                OpKind::Break(depth) | OpKind::Continue(depth) => self.leave(func, op, depth, around),
                _ if self.any(&data.args) => self.values.extend(&data.results),
                _ => {}
            }
        }
    }

    fn inside(&mut self, func: &Function, op: Op, around: &mut Vec<Target>) {
        around.push(Target { op, divided: false, continues: 0 });
        self.block(func, func.ops[op].regions[0], around);
        around.pop();
    }

    fn branch(&mut self, func: &Function, op: Op, around: &mut Vec<Target>) {
        let data = &func.ops[op];
        let differs = self.contains(data.args[0]);
        let known: Vec<bool> = around.iter().map(|target| target.divided).collect();
        for &region in &data.regions {
            if differs {
                around.iter_mut().for_each(|target| target.divided = true);
            }
            self.block(func, region, around);
            around.iter_mut().zip(&known).for_each(|(target, &divided)| target.divided = divided);
            let end = func.terminator(region).expect("regions end");
            if func.ops[end].kind == OpKind::Yield {
                self.add_where(&data.results, &func.ops[end].args, differs);
            }
        }
    }

    fn leave(&mut self, func: &Function, op: Op, depth: u32, around: &mut [Target]) {
        let data = &func.ops[op];
        let levels = usize::try_from(depth).expect("small");
        // Out of the body itself: the end of an iteration.
        let Some(at) = around.len().checked_sub(levels + 1) else { return };
        // Loops in between end at different steps.
        let divided = around[at].divided || levels > 0;
        let target = &func.ops[around[at].op];
        if let OpKind::Break(_) = data.kind {
            self.add_where(&target.results, &data.args, divided);
            return;
        }
        around[at].continues += 1;
        let params = &func.blocks[target.regions[0]].params;
        let params = params[params.len() - data.args.len()..].to_vec();
        self.add_where(&params, &data.args, divided && around[at].continues > 1);
    }
}
