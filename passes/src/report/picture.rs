//! What a finding shows best as a graph: operations, and the arrays that they pass on.

use std::collections::BTreeMap;

use pydd_ir::{Function, Loc, Op, Value};

use super::words;

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Picture {
    /// Those that an edge leads to come after those that it comes from.
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// What it does; where it is empty, what stands at its place.
    pub text: String,
    /// Of an operation; nowhere for what is given.
    pub loc: Loc,
}

/// Data that goes from one node to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// The variable, where it has one.
    pub name: String,
    pub data: Data,
}

/// Whether what an edge stands for is in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Data {
    /// An array, as far as is known when the finding is made; it is made at this place.
    Stored(Loc),
    /// Elements that are used as soon as they are computed.
    Passed,
}

/// Operations of one loop over elements: the last is what they end in.
pub(super) fn of_group(func: &Function, ops: &[Op]) -> Picture {
    let mut picture = Picture::default();
    let mut made: BTreeMap<Value, (usize, Data)> = BTreeMap::new();
    for &op in ops {
        let data = &func.ops[op];
        let mut sources: Vec<(usize, Data, String)> = Vec::new();
        for &arg in data.args.iter().filter(|&&arg| func.ty(arg).is_array()) {
            let &mut (node, kind) = made.entry(arg).or_insert_with(|| {
                let name = words::variable(func, arg).map_or_else(
                    || {
                        func.def_op(arg)
                            .and_then(|op| words::operation(func, op))
                            .unwrap_or("view")
                            .to_owned()
                    },
                    str::to_owned,
                );
                picture.nodes.push(Node { text: name, loc: Loc::default() });
                let loc = func.def_op(arg).map_or_else(Loc::default, |op| func.ops[op].loc);
                (picture.nodes.len() - 1, Data::Stored(loc))
            });
            let name = match kind {
                Data::Passed => words::variable(func, arg).unwrap_or_default().to_owned(),
                Data::Stored(_) => String::new(),
            };
            if sources.iter().all(|(known, ..)| *known != node) {
                sources.push((node, kind, name));
            }
        }
        let text = words::operation(func, op).unwrap_or("…").to_owned();
        picture.nodes.push(Node { text, loc: data.loc });
        let to = picture.nodes.len() - 1;
        for (from, data, name) in sources {
            // A variable that goes to several nodes is named once.
            let named = picture.edges.iter().any(|edge| edge.from == from);
            let name = if named { String::new() } else { name };
            picture.edges.push(Edge { from, to, name, data });
        }
        for &result in &data.results {
            made.insert(result, (to, Data::Passed));
        }
    }
    picture
}
