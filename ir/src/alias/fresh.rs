//! Arrays that are made in an iteration are not what the loops around carry into it.
//!
//! `u = f(u)` in a loop: what is carried has the class of what an earlier iteration made. But the array that this
//! iteration makes is none that was there before.

use crate::entity::{Block, Entity, Value};
use crate::func::Function;
use crate::op::OpKind;

/// Which values are fresh arrays or carried ones, views of them included.
#[derive(Clone, Debug)]
pub(super) struct Fresh {
    /// By value.
    known: Vec<Known>,
    /// By fresh array, the blocks around it, the innermost first.
    around: Vec<Vec<Block>>,
}

#[derive(Clone, Copy, Default, Debug)]
enum Known {
    #[default]
    Nothing,
    /// The number of the array that an operation makes.
    Made(usize),
    /// A parameter of this block.
    Carried(Block),
}

impl Fresh {
    pub(super) fn new(func: &Function) -> Self {
        let mut fresh = Self { known: vec![Known::Nothing; func.values.len()], around: Vec::new() };
        fresh.block(func, func.entry, &mut Vec::new());
        fresh
    }

    fn block(&mut self, func: &Function, block: Block, around: &mut Vec<Block>) {
        around.push(block);
        for &op in &func.blocks[block].ops {
            let data = &func.ops[op];
            if matches!(data.kind, OpKind::Empty | OpKind::Zeros)
                && let &[result] = &data.results[..]
            {
                self.known[result.index()] = Known::Made(self.around.len());
                self.around.push(around.clone());
            } else if data.kind.is_view()
                && let (&[result], Some(source)) = (&data.results[..], data.args.first())
            {
                self.known[result.index()] = self.known[source.index()];
            }
            let carries = matches!(data.kind, OpKind::For | OpKind::Loop);
            for &region in &data.regions {
                for &param in func.blocks[region].params.iter().filter(|_| carries) {
                    self.known[param.index()] = Known::Carried(region);
                }
                self.block(func, region, around);
            }
        }
        around.pop();
    }

    /// A value that was made since is what another one is.
    pub(super) fn note_same(&mut self, new: Value, old: Value) {
        self.known.resize(self.known.len().max(new.index() + 1), Known::Nothing);
        self.known[new.index()] = self.known[old.index()];
    }

    /// Whether two values are certainly apart wherever both are defined.
    pub(super) fn apart(&self, a: Value, b: Value) -> bool {
        let known = |value: Value| self.known.get(value.index()).copied().unwrap_or_default();
        match (known(a), known(b)) {
            (Known::Made(made), Known::Carried(block)) | (Known::Carried(block), Known::Made(made)) => {
                self.around[made].contains(&block)
            }
            _ => false,
        }
    }
}
