//! Functions and exports.

use super::{Callee, Dim, FIRST_DIM, Gen, Wanted, func_ref};
use pydd_ir::alias::note_written;
use pydd_ir::{
    DType, ElemOp, Entry, Export, ExportParam, ExportType, FuncRef, Function, Level, Module, OpKind, Type,
};
use pydd_test_support::rng::Rng;

/// The length ids of parameters, by distance from the last axis.
fn param_dim(param: usize, distance: usize) -> Dim {
    Dim::Id(u32::try_from(distance + usize::from(param % 4 == 3)).expect("small"))
}

pub(super) fn module(rng: &mut Rng) -> Module {
    let mut module = Module { name: "kernel".to_owned(), file: "fuzz.pydd".to_owned(), ..Module::default() };
    let mut dtypes = vec![DType::I64, DType::Bool, DType::F64];
    for _ in 0..rng.below(3) {
        dtypes.push(rng.pick(&DType::ALL));
    }
    if rng.percent(15) {
        // Integers only.
        dtypes = vec![DType::I64, DType::I64, DType::I8, DType::Bool];
    }
    let most_axes = if rng.percent(25) { 1 } else { 3 };
    let mut line = 0;
    let mut callees = Vec::new();
    let helpers = rng.below(3);
    for index in 0..=helpers {
        let last = index == helpers;
        let name = if last { "f".to_owned() } else { format!("h{index}") };
        let recursive = !last && rng.percent(25);
        let scope = module.scope(&name);
        let budget = if last { rng.range(6, 45) } else { rng.range(3, 14) };
        let plan = Plan { name, recursive, scope, budget: i32::try_from(budget).expect("small"), most_axes };
        let (func, callee) = function(rng, &dtypes, &mut callees, &mut line, index, plan);
        module.funcs.push(func);
        callees.push(callee);
    }
    let export = callees.last().expect("there is one function at least");
    module.exports.push(export_of(export));
    note_written(&mut module);
    module
}

fn export_of(callee: &Callee) -> Export {
    let ty = |&ty: &Type| match ty {
        Type::Scalar(dtype) => ExportType::Scalar { dtype, weak: false },
        Type::Array { dtype, rank } => ExportType::Array { dtype, rank },
        Type::List { dtype, .. } => ExportType::List(dtype),
        Type::Str => ExportType::None,
    };
    let params = callee.params.iter().enumerate();
    Export {
        name: "f".to_owned(),
        doc: None,
        params: params
            .map(|(i, t)| ExportParam {
                name: format!("p{i}"),
                ty: ty(t),
                default: None,
                written: false,
                keyword_only: false,
                positional_only: false,
                cast: false,
                column_major: false,
            })
            .collect(),
        result: ExportType::Tuple(callee.results.iter().map(ty).collect()),
        entries: vec![Entry::any(callee.func)],
        ufunc: None,
    }
}

struct Plan {
    name: String,
    recursive: bool,
    scope: u32,
    budget: i32,
    most_axes: usize,
}

fn function(
    rng: &mut Rng,
    dtypes: &[DType],
    callees: &mut Vec<Callee>,
    line: &mut u32,
    index: usize,
    plan: Plan,
) -> (Function, Callee) {
    let mut params = Vec::new();
    if plan.recursive {
        params.push(Type::I64);
    }
    for _ in 0..1 + rng.below(4) {
        let dtype = rng.pick(dtypes);
        params.push(match rng.below(10) {
            0..3 => Type::Scalar(dtype),
            3 if plan.name != "f" && rng.percent(40) => {
                let rank = rng.percent(50).then_some(1);
                Type::List { dtype, rank, depth: 2 - u8::from(rank.is_some() && rng.percent(70)) }
            }
            3 => Type::list(dtype),
            4 => Type::array(dtype, 0),
            5..8 => Type::array(dtype, 1),
            _ if plan.most_axes == 1 => Type::array(dtype, 1),
            8 => Type::array(dtype, 2),
            _ => Type::array(dtype, u8::try_from(2 + rng.below(2)).expect("small")),
        });
    }
    let main = plan.name == "f";
    if rng.percent(if main { 95 } else { 60 }) {
        params.push(Type::list(rng.pick(&[DType::I64, DType::F64])));
    }
    let mut results = Vec::new();
    for _ in 0..rng.below(4) {
        let ty = if rng.percent(50) {
            rng.pick(&params)
        } else if rng.percent(50) {
            Type::Scalar(rng.pick(dtypes))
        } else {
            Type::array(rng.pick(dtypes), u8::try_from(rng.below(3).min(plan.most_axes)).expect("small"))
        };
        results.push(ty);
    }
    let myself = func_ref(index);
    let callee =
        |recursive| Callee { func: myself, params: params.clone(), results: results.clone(), recursive };
    if plan.recursive {
        callees.push(callee(true));
    }
    let mut func = Function::new(&plan.name, Level::Array);
    func.results.clone_from(&results);
    func.recursive = plan.recursive;
    let entry = func.entry;
    let values: Vec<_> = params.iter().map(|&ty| func.add_param(entry, ty)).collect();
    let mut g = Gen {
        rng,
        func: &mut func,
        block: entry,
        env: Vec::new(),
        frames: Vec::new(),
        callees,
        returns: Vec::new(),
        dtypes,
        next_dim: FIRST_DIM,
        line,
        scope: plan.scope,
        budget: plan.budget,
        most_axes: plan.most_axes,
        in_map: false,
        myself: plan.recursive.then(|| (myself, values[0])),
    };
    for (i, &value) in values.iter().enumerate() {
        let ty = g.ty(value);
        let rank = if ty.is_array() { usize::from(ty.rank()) } else { 0 };
        let shape = (0..rank).map(|axis| param_dim(i, rank - 1 - axis)).collect();
        g.know(value, shape, false, false);
    }
    g.prologue(&results);
    if plan.recursive {
        g.stop_recursion(values[0]);
    }
    while g.budget > 0 {
        g.step();
    }
    for _ in 0..if main { 3 + g.rng.below(4) } else { 0 } {
        g.log();
    }
    let returns = g.returns.clone();
    let values = g.supply_all(&returns);
    g.op(OpKind::Return, values, &[], vec![]);
    if plan.recursive {
        callees.pop();
    }
    let callee = callee_of(myself, params, results, plan.recursive);
    (func, callee)
}

fn callee_of(func: FuncRef, params: Vec<Type>, results: Vec<Type>, recursive: bool) -> Callee {
    Callee { func, params, results, recursive }
}

impl Gen<'_> {
    /// Something to return, of each type.
    fn prologue(&mut self, results: &[Type]) {
        for &ty in results {
            let found = self.find(|k| k.ty == ty).filter(|_| self.rng.percent(70));
            let fallback = match (found, ty) {
                (Some(known), _) => known.value,
                (None, Type::Scalar(dtype)) => self.constant(dtype),
                (None, Type::List { .. }) => self.make(OpKind::ListNew, vec![], ty),
                (None, _) => {
                    let mut dims = Vec::new();
                    for _ in 0..ty.rank() {
                        let n = self.rng.range(0, 3);
                        dims.push(self.int(n));
                    }
                    let value = self.make(OpKind::Zeros, dims, ty);
                    let shape = self.fresh_shape(ty.rank());
                    self.know(value, shape, false, true);
                    value
                }
            };
            self.returns.push(Wanted { ty, shape: None, fallback });
        }
    }

    /// `if depth <= 0: return …`
    fn stop_recursion(&mut self, depth: pydd_ir::Value) {
        let zero = self.int(0);
        let ends = self.make(OpKind::Elem(ElemOp::Le), vec![depth, zero], Type::BOOL);
        let returns = self.returns.clone();
        let leave = self.region(&[], |g, _| {
            let values = g.supply_all(&returns);
            g.op(OpKind::Return, values, &[], vec![]);
        });
        let stay = self.region(&[], |g, _| {
            g.op(OpKind::Yield, vec![], &[], vec![]);
        });
        self.op(OpKind::If, vec![ends], &[], vec![leave, stay]);
    }
}
