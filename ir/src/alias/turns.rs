//! Arrays that take turns: `a, b = b, a` in a loop.
//!
//! Each of the two may be either of the arrays from before the loop, so both have the classes of both. But in
//! one iteration they are different ones, when each iteration passes on all of them in some order.
//!
//! Loops in a `pfor` are left out: there, values of one name stand for several iterations at once.

use crate::entity::{Entity, Op, Value};
use crate::func::Function;
use crate::op::OpKind;

/// For each value whose memory takes turns with others': the loop, and its place among the carried values.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    by_value: Vec<Option<(Op, usize)>>,
}

impl Turns {
    /// `may_alias` says whether two values from before a loop may overlap.
    pub(super) fn new(func: &Function, may_alias: impl Fn(&Self, Value, Value) -> bool) -> Self {
        let mut turns = Self { by_value: vec![None; func.values.len()] };
        let mut loops = Vec::new();
        carried(func, func.entry, &mut Vec::new(), &mut loops);
        loops.sort_unstable_by_key(|looped| looped.op);
        // Outer loops come first, and views after what they are views of.
        func.walk(func.entry, &mut |op| {
            let data = &func.ops[op];
            if data.kind.is_view()
                && let (&[result], Some(source)) = (&data.results[..], data.args.first())
            {
                turns.by_value[result.index()] = turns.by_value[source.index()];
            } else if let Ok(at) = loops.binary_search_by_key(&op, |looped| looped.op) {
                turns.take(&loops[at], &may_alias);
            }
        });
        turns
    }

    /// A value that was made since is what another one is.
    pub(super) fn note_same(&mut self, new: Value, old: Value) {
        self.by_value.resize(self.by_value.len().max(new.index() + 1), None);
        self.by_value[new.index()] = self.by_value[old.index()];
    }

    fn take(&mut self, looped: &Carried, may_alias: &impl Fn(&Self, Value, Value) -> bool) {
        let places = looped.permuted();
        let mut pairs =
            places.iter().enumerate().flat_map(|(i, a)| places[..i].iter().map(move |b| (*a, *b)));
        if pairs.all(|(a, b)| !may_alias(self, looped.init[a], looped.init[b])) {
            for place in places {
                self.by_value[looped.params[place].index()] = Some((looped.op, place));
            }
        }
    }

    /// Whether two values are certainly apart wherever both are defined.
    pub(super) fn apart(&self, a: Value, b: Value) -> bool {
        let turn = |value: Value| self.by_value.get(value.index()).copied().flatten();
        match (turn(a), turn(b)) {
            (Some((first, i)), Some((second, j))) => first == second && i != j,
            _ => false,
        }
    }
}

/// What a loop carries.
struct Carried {
    op: Op,
    params: Vec<Value>,
    init: Vec<Value>,
    /// By `continue`, what the next iteration gets.
    next: Vec<Vec<Value>>,
    is_memory: Vec<bool>,
}

impl Carried {
    /// The places whose values go on to these places, each to one.
    fn permuted(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.params.len()).filter(|&place| self.is_memory[place]).collect();
        loop {
            let stays = |next: &Vec<Value>, place: usize| {
                next.get(place).is_some_and(|from| {
                    places.iter().any(|&other| self.params[other] == *from)
                        && places.iter().filter(|&&other| next.get(other) == Some(from)).count() == 1
                })
            };
            let kept: Vec<usize> = places
                .iter()
                .copied()
                .filter(|&place| self.next.iter().all(|next| stays(next, place)))
                .collect();
            if kept.len() == places.len() {
                return kept;
            }
            places = kept;
        }
    }
}

/// Collects the loops of a block that are in no `pfor`; `around` are the breakable operations around it.
fn carried(
    func: &Function,
    block: crate::entity::Block,
    around: &mut Vec<Option<usize>>,
    found: &mut Vec<Carried>,
) {
    for &op in &func.blocks[block].ops {
        let data = &func.ops[op];
        if let OpKind::Continue(depth) = data.kind
            && let Some(&Some(target)) = around.iter().rev().nth(depth as usize)
        {
            let looped: &mut Carried = &mut found[target];
            looped.next.push(data.args.clone());
        }
        let skipped = match data.kind {
            OpKind::PFor(_) => continue,
            OpKind::For => Some((1, 3)),
            OpKind::Loop => Some((0, 0)),
            _ => None,
        };
        let entry = skipped.map(|(params, args)| {
            let region = data.regions.first().map_or(&[][..], |&region| &func.blocks[region].params);
            let (params, init) =
                (region.get(params..).unwrap_or_default(), data.args.get(args..).unwrap_or_default());
            let params = params[..params.len().min(init.len())].to_vec();
            let is_memory = params.iter().map(|&param| func.ty(param).is_memory()).collect();
            found.push(Carried { op, params, init: init.to_vec(), next: Vec::new(), is_memory });
            found.len() - 1
        });
        if data.kind.is_breakable() {
            around.push(entry);
        }
        data.regions.iter().for_each(|&region| carried(func, region, around, found));
        if data.kind.is_breakable() {
            around.pop();
        }
    }
}
