//! Lists and arrays that are taken out of lists only to be looked at, as in `a[i][j]`: they need no count of their own as long as
//! nothing can take them out of the list that holds them.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::{Block, Function, Op, OpKind, Value};

/// Whether the operation takes a list or an array out of a list.
pub(super) fn takes_memory(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    data.kind == OpKind::ListGet && data.results.iter().any(|&item| func.ty(item).is_memory())
}

/// The operations whose lists are used by list operations alone, or whose arrays by their elements alone, up to a place in the
/// same block, with nothing in between that lets go of what lists hold.
pub(super) fn find(func: &Function) -> BTreeSet<Op> {
    let mut taken = Vec::new();
    func.walk(func.entry, &mut |op| {
        if takes_memory(func, op) {
            taken.push(op);
        }
    });
    if taken.is_empty() {
        return BTreeSet::new();
    }
    let places = Places::new(func);
    taken.into_iter().filter(|&op| places.is_borrowed(op)).collect()
}

struct Places<'f> {
    func: &'f Function,
    /// The block of each operation, and its position there.
    at: BTreeMap<Op, (Block, usize)>,
    /// The operation that a block is a region of.
    owner: BTreeMap<Block, Op>,
    uses: BTreeMap<Value, Vec<Op>>,
    /// Operations that may let go of what a list holds, by themselves or in a region.
    drops: BTreeSet<Op>,
}

impl<'f> Places<'f> {
    fn new(func: &'f Function) -> Self {
        let mut places = Self {
            func,
            at: BTreeMap::new(),
            owner: BTreeMap::new(),
            uses: BTreeMap::new(),
            drops: BTreeSet::new(),
        };
        places.block(func.entry);
        places
    }

    /// Whether something in the block may let go of what a list holds.
    fn block(&mut self, block: Block) -> bool {
        let func = self.func;
        let mut any = false;
        for (index, &op) in func.blocks[block].ops.iter().enumerate() {
            let data = &func.ops[op];
            self.at.insert(op, (block, index));
            data.args.iter().for_each(|&arg| self.uses.entry(arg).or_default().push(op));
            let mut drops = may_drop(func, op);
            for &region in &data.regions {
                self.owner.insert(region, op);
                drops |= self.block(region);
            }
            if drops {
                self.drops.insert(op);
            }
            any |= drops;
        }
        any
    }

    fn is_borrowed(&self, op: Op) -> bool {
        let (block, first) = self.at[&op];
        let Some(last) = self.last_look(self.func.ops[op].results[0], block, first) else { return false };
        let ops = &self.func.blocks[block].ops;
        ops[first + 1..=last].iter().all(|op| !self.drops.contains(op))
    }

    /// Where in the block what was taken, or a view of it, is looked at last, if it is no more than that.
    fn last_look(&self, item: Value, block: Block, first: usize) -> Option<usize> {
        let uses = self.uses.get(&item).map_or(&[][..], Vec::as_slice);
        uses.iter().try_fold(first, |last, &user| {
            let data = &self.func.ops[user];
            if data.kind == OpKind::RawView && self.at[&user].0 == block {
                return self.last_look(data.results[0], block, last);
            }
            let index = self.position(user, block).filter(|_| looks(self.func, user, item))?;
            Some(last.max(index))
        })
    }

    /// Where in the block an operation stands, or the one around it.
    fn position(&self, op: Op, block: Block) -> Option<usize> {
        let mut op = op;
        loop {
            let (around, index) = self.at[&op];
            if around == block {
                return Some(index);
            }
            op = *self.owner.get(&around)?;
        }
    }
}

/// Whether the operation does no more with the list than look at it or change its items, or with the array than with its elements.
fn looks(func: &Function, op: Op, list: Value) -> bool {
    let data = &func.ops[op];
    let list_op = matches!(
        data.kind,
        OpKind::ListGet
            | OpKind::ListLen
            | OpKind::ListSet
            | OpKind::ListAppend
            | OpKind::ListPrepend
            | OpKind::ListTruncate
            | OpKind::ListDropFront
    );
    let array_op = matches!(
        data.kind,
        OpKind::LoadRaw
            | OpKind::StoreRaw
            | OpKind::UpdateRaw(_)
            | OpKind::Dim(_)
            | OpKind::Stride(_)
            | OpKind::IsContiguous
    );
    (list_op || array_op) && data.args[1..].iter().all(|&arg| arg != list)
}

fn may_drop(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let holds_memory = |arg: &Value| func.ty(*arg).holds_memory();
    match data.kind {
        OpKind::ListSet | OpKind::ListTruncate | OpKind::ListDropFront => {
            data.args.first().is_some_and(holds_memory)
        }
        OpKind::Call(_) | OpKind::Launch(_) => data.args.iter().any(holds_memory),
        _ => false,
    }
}
