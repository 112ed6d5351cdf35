//! How the elements of arrays lie in memory, as far as it is known before the program runs.
//!
//! Python gives the fast version of a function arrays without gaps, and every version the parts of sparse matrices so.
//! What functions of the module pass to each other follows from all calls: first everything is taken to be without
//! gaps, then doubts are carried along until nothing changes.

use pydd_ir::flow::flows;
use pydd_ir::{ElemOp, Entity, Export, ExportType, Function, Module, OpData, OpKind, Value, Version};

/// How an array lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    contiguous: bool,
    aligned: bool,
}

impl Place {
    const BEST: Self = Self { contiguous: true, aligned: true };
    const ANY: Self = Self { contiguous: false, aligned: false };

    /// What holds of both.
    const fn meet(self, other: Self) -> Self {
        Self { contiguous: self.contiguous && other.contiguous, aligned: self.aligned && other.aligned }
    }
}

/// What is known of each array of a function.
pub struct Layout {
    places: Vec<Place>,
}

/// What a function is given and gives; numbers are in any place.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Interface {
    params: Vec<Place>,
    results: Vec<Place>,
}

/// The layouts of all functions, by `FuncRef`.
#[must_use]
pub fn layouts(module: &Module) -> Vec<Layout> {
    let mut known = from_outside(module);
    loop {
        let layouts = module.funcs.values().zip(&known);
        let layouts: Vec<Layout> =
            layouts.map(|(func, own)| Layout::new(func, &own.params, &known)).collect();
        let before = known.clone();
        for ((r, func), layout) in module.funcs.iter().zip(&layouts) {
            for op in func.all_ops() {
                if func.ops[op].kind == OpKind::Return {
                    layout.pass_on(&func.ops[op].args, &mut known[r.index()].results);
                }
                if let Some((callee, args, first)) = func.passed(op) {
                    layout.pass_on(args, &mut known[callee.index()].params[first..]);
                }
            }
        }
        if known == before {
            return layouts;
        }
    }
}

/// What is known before it is looked at what calls give. Functions that nothing is known to call may be given anything.
fn from_outside(module: &Module) -> Vec<Interface> {
    let first = |func: &Function| {
        let place = if func.version == Version::Fast { Place::BEST } else { Place::ANY };
        Interface { params: vec![place; func.params().len()], results: vec![Place::BEST; func.results.len()] }
    };
    let mut known: Vec<Interface> = module.funcs.values().map(first).collect();
    for func in module.funcs.values() {
        for op in func.all_ops() {
            if let Some((callee, ..)) = func.passed(op) {
                known[callee.index()].params.fill(Place::BEST);
            }
        }
    }
    for export in &module.exports {
        for r in export.funcs() {
            if module.funcs[r].version != Version::Fast {
                known[r.index()].params = from_python(export);
            }
        }
    }
    known
}

/// How the parameters of a general version lie.
fn from_python(export: &Export) -> Vec<Place> {
    let mut places = Vec::new();
    for param in &export.params {
        let mut types = Vec::new();
        param.ty.flatten(&mut types);
        let is_sparse = matches!(param.ty, ExportType::Sparse(_));
        places.resize(places.len() + types.len(), if is_sparse { Place::BEST } else { Place::ANY });
    }
    places
}

impl Layout {
    /// Of a function with these parameters, which calls functions of which `known` is known.
    fn new(func: &Function, params: &[Place], known: &[Interface]) -> Self {
        let mut layout = Self { places: vec![Place::BEST; func.values.len()] };
        for (&param, &place) in func.params().iter().zip(params) {
            layout.places[param.index()] = place;
        }
        for data in func.ops.values() {
            layout.start(func, data, known);
        }
        layout.solve(func);
        layout
    }

    /// Whether an array is surely row-major without gaps, so that its strides follow from its dimensions.
    #[must_use]
    pub fn is_contiguous(&self, value: Value) -> bool {
        self.places[value.index()].contiguous
    }

    /// Whether an array's elements surely lie at multiples of their natural alignment.
    #[must_use]
    pub fn is_aligned(&self, value: Value) -> bool {
        self.places[value.index()].aligned
    }

    fn start(&mut self, func: &Function, data: &OpData, known: &[Interface]) {
        if let OpKind::Call(callee) = data.kind {
            for (&result, &place) in data.results.iter().zip(&known[callee.index()].results) {
                self.places[result.index()] = place;
            }
            return;
        }
        let fresh = matches!(data.kind, OpKind::Empty | OpKind::Zeros) || is_plain_view(func, data);
        let passed_on = data.kind.is_breakable() || matches!(data.kind, OpKind::If);
        for &result in &data.results {
            self.places[result.index()].contiguous = fresh || passed_on;
        }
    }

    /// Carries doubts along views and control flow until nothing changes.
    fn solve(&mut self, func: &Function) {
        let mut edges: Vec<Edge> = flows(func)
            .iter()
            .filter(|flow| func.ty(flow.to).is_array())
            .map(|flow| Edge { from: flow.from, to: flow.to, same: true })
            .collect();
        let views = func.ops.values().filter(|data| data.kind == OpKind::RawView);
        edges.extend(views.map(|view| Edge { from: view.args[0], to: view.results[0], same: false }));
        while edges.iter().fold(false, |changed, edge| self.carry(edge) | changed) {}
    }

    fn carry(&mut self, edge: &Edge) -> bool {
        let (from, to) = (self.places[edge.from.index()], self.places[edge.to.index()]);
        let contiguous = from.contiguous || !edge.same;
        self.places[edge.to.index()] = to.meet(Place { contiguous, ..from });
        self.places[edge.to.index()] != to
    }

    /// Says to whom these values go how they lie.
    fn pass_on(&self, values: &[Value], to: &mut [Place]) {
        for (value, place) in values.iter().zip(to) {
            *place = place.meet(self.places[value.index()]);
        }
    }
}

/// A view whose rows follow each other without gaps, by how its strides are made of its lengths.
fn is_plain_view(func: &Function, data: &OpData) -> bool {
    if data.kind != OpKind::RawView {
        return false;
    }
    let ty = func.ty(data.results[0]);
    let (lengths, strides) = data.args[2..].split_at(usize::from(ty.rank()));
    let size = ty.dtype().map(|dtype| dtype.size() as i64);
    let Some((&last, _)) = strides.split_last() else { return false };
    let follows = |axis: usize| {
        let made = func.def_op(strides[axis]).map(|op| &func.ops[op]);
        let factors = [strides[axis + 1], lengths[axis + 1]];
        made.is_some_and(|made| {
            made.kind == OpKind::Elem(ElemOp::Mul)
                && (made.args == factors || made.args == [factors[1], factors[0]])
        })
    };
    size.is_some() && func.as_int(last) == size && (0..strides.len() - 1).all(follows)
}

struct Edge {
    from: Value,
    to: Value,
    /// The very same array, not a view of it.
    same: bool,
}
