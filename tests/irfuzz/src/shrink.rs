//! Makes a failing module small while the same kind of failure persists.

use pydd_ir::rewrite::{Uses, compact_module, erase_op, erase_ops, splice_block};
use pydd_ir::{Block, Builder, DType, FuncRef, Function, Literal, Module, Op, OpKind, Type, Value, ValueDef};
use pydd_passes::{Options, Pass, PassContext};
use std::time::{Duration, Instant};

/// Where to change what.
#[derive(Clone, Copy)]
enum Step {
    /// Erases constants that nothing uses.
    Constants,
    Run(&'static Pass),
    /// Erases an operation, with simple values for its results.
    Erase(FuncRef, Op),
    /// Puts a region of an `if`, `scope` or loop (run once) in the operation's place.
    Splice(FuncRef, Op, usize),
    /// Drops what an `if`, loop or scope carries.
    Drop(FuncRef, Op, usize),
    /// Drops the carried value of a `loop`.
    DropCarried(FuncRef, Op, usize),
    /// A simple value for an operand.
    Simple(FuncRef, Op, usize, i64),
}

/// The smallest module found for which `fails` holds.
pub fn shrink(module: &Module, limit: Duration, mut fails: impl FnMut(&Module) -> bool) -> Module {
    let start = Instant::now();
    let mut best = compact_module(module);
    loop {
        let before = weight(&best);
        let mut index = 0;
        let mut steps = steps(&best);
        while index < steps.len() {
            if start.elapsed() > limit {
                return best;
            }
            let candidate = apply(&best, steps[index]);
            let better = candidate.filter(|m| weight(m) < weight(&best) && fails(m));
            if let Some(better) = better {
                best = better;
                steps = self::steps(&best);
                // References changed; what failed before fails again mostly.
                index = index.min(steps.len());
                continue;
            }
            index += 1;
        }
        if weight(&best) == before {
            return best;
        }
    }
}

/// How big a module is.
#[must_use]
pub fn weight(module: &Module) -> usize {
    module
        .funcs
        .values()
        .map(|f| 20 + f.all_ops().into_iter().map(|op| op_weight(f, op)).sum::<usize>())
        .sum()
}

fn op_weight(func: &Function, op: Op) -> usize {
    let data = &func.ops[op];
    let own = match data.kind {
        OpKind::Const(_) => 1,
        OpKind::Zeros | OpKind::ListNew => 8,
        OpKind::Yield | OpKind::Continue(_) | OpKind::Break(_) | OpKind::Return => 2,
        _ => 12,
    };
    let computed = |&&v: &&Value| match func.values[v].def {
        ValueDef::Result(def, _) => !matches!(func.ops[def].kind, OpKind::Const(_)),
        ValueDef::Param(block, _) => block != func.entry,
    };
    own + data.results.len() + data.args.len() + 3 * data.args.iter().filter(computed).count()
}

fn steps(module: &Module) -> Vec<Step> {
    let passes = [&pydd_passes::array::dce::PASS, &pydd_passes::drop_unused::PASS];
    let mut steps = vec![Step::Constants];
    steps.extend(passes.into_iter().map(Step::Run));
    for (f, func) in module.funcs.iter() {
        let mut ops = func.all_ops();
        // Big ones first.
        ops.sort_by_key(|&op| {
            let mut inner = 0;
            func.ops[op].regions.iter().for_each(|&r| func.walk(r, &mut |_| inner += 1));
            std::cmp::Reverse(inner)
        });
        for &op in &ops {
            let data = &func.ops[op];
            if !data.kind.is_terminator() && !matches!(data.kind, OpKind::Const(_)) {
                steps.push(Step::Erase(f, op));
            }
            steps.extend((0..data.regions.len()).map(|r| Step::Splice(f, op, r)));
        }
        for &op in &ops {
            let data = &func.ops[op];
            if matches!(data.kind, OpKind::If | OpKind::For | OpKind::Loop | OpKind::Scope) {
                steps.extend((0..data.results.len()).map(|k| Step::Drop(f, op, k)));
            }
            if data.kind == OpKind::Loop {
                steps.extend((0..data.args.len()).map(|k| Step::DropCarried(f, op, k)));
            }
        }
        for &op in &ops {
            let args = 0..func.ops[op].args.len();
            steps.extend(args.flat_map(|k| [0, 1, 2].map(|n| Step::Simple(f, op, k, n))));
        }
    }
    steps
}

fn apply(module: &Module, step: Step) -> Option<Module> {
    let mut module = module.clone();
    match step {
        Step::Constants => module.funcs.values_mut().for_each(erase_constants),
        Step::Run(pass) => {
            let options = Options::default();
            (pass.run)(&mut module, &PassContext::quiet(&options)).ok()?;
        }
        Step::Erase(f, op) => {
            let func = &mut module.funcs[f];
            for result in func.ops[op].results.clone() {
                let simple = simple(func, op, func.ty(result), 1)?;
                func.replace_uses(|v| if v == result { simple } else { v });
            }
            erase_op(func, op);
        }
        Step::Splice(f, op, region) => splice(&mut module.funcs[f], op, region)?,
        Step::Drop(f, op, k) => drop_result(&mut module.funcs[f], op, k)?,
        Step::DropCarried(f, op, k) => {
            let func = &mut module.funcs[f];
            let body = func.ops[op].regions[0];
            drop_param(func, body, k, func.ops[op].args[k]);
            func.ops[op].args.remove(k);
            drop_jumps(func, body, 0, k, false);
        }
        Step::Simple(f, op, k, n) => {
            let func = &mut module.funcs[f];
            let old = func.ops[op].args[k];
            if func.as_const(old).is_some() {
                return None;
            }
            func.ops[op].args[k] = simple(func, op, func.ty(old), n)?;
        }
    }
    let module = compact_module(&module);
    pydd_ir::verify::verify(&module).ok().map(|()| module)
}

fn erase_constants(func: &mut Function) {
    let uses = Uses::new(func);
    let ops = func.all_ops().into_iter();
    let unused = ops.filter(|&op| matches!(func.ops[op].kind, OpKind::Const(_)) && uses.is_dead(func, op));
    let unused = unused.collect();
    erase_ops(func, &unused);
}

/// A simple value of a type, made before `op`; a parameter where there is one.
fn simple(func: &mut Function, op: Op, ty: Type, n: i64) -> Option<Value> {
    let block = func.blocks.keys().find(|&b| func.blocks[b].ops.contains(&op))?;
    let params = func.params().to_vec();
    let at = func.blocks[block].ops.iter().position(|&o| o == op)?;
    let rest = func.blocks[block].ops.split_off(at);
    let loc = func.ops[op].loc;
    let mut b = Builder::new(func, block);
    b.loc = loc;
    let param = params.into_iter().find(|&p| b.func.ty(p) == ty).filter(|_| n == 1);
    let made = match (param, ty) {
        (Some(param), _) if !ty.is_scalar() => Some(param),
        (_, Type::Scalar(DType::Bool)) => Some(b.bool(n != 0)),
        #[allow(clippy::cast_precision_loss, reason = "small")]
        (_, Type::Scalar(dtype)) => Some(b.number(n as f64, dtype)),
        (_, Type::List { .. }) => Some(b.value(OpKind::ListNew, vec![], ty)),
        (_, Type::Array { rank, .. }) => {
            let dims =
                (0..rank).map(|_| b.value(OpKind::Const(Literal::Int(n)), vec![], Type::I64)).collect();
            Some(b.value(OpKind::Zeros, dims, ty))
        }
        (_, Type::Str) => None,
    };
    func.blocks[block].ops.extend(rest);
    made
}

fn splice(func: &mut Function, op: Op, region: usize) -> Option<()> {
    let data = func.ops[op].clone();
    let block = data.regions[region];
    let end = func.terminator(block)?;
    let fits = matches!(
        (&data.kind, &func.ops[end].kind),
        (OpKind::If, OpKind::Yield) | (OpKind::Scope, OpKind::Break(0)) | (OpKind::For, OpKind::Continue(0))
    );
    if !fits || (data.kind != OpKind::If && jumps_past(func, block, end)) {
        return None;
    }
    if data.kind == OpKind::For {
        let inputs = [&data.args[..1], &data.args[3..]].concat();
        let params = func.blocks[block].params.clone();
        func.replace_uses(|v| params.iter().position(|&p| p == v).map_or(v, |i| inputs[i]));
    }
    let values = splice_block(func, op, block);
    let results = data.results;
    func.replace_uses(|v| results.iter().position(|&r| r == v).map_or(v, |i| values[i]));
    Some(())
}

/// Whether a jump other than `end` is in the block: depths would have to change.
fn jumps_past(func: &Function, block: Block, end: Op) -> bool {
    let mut found = false;
    func.walk(block, &mut |op| {
        found |= op != end && matches!(func.ops[op].kind, OpKind::Break(_) | OpKind::Continue(_));
    });
    found
}

fn drop_param(func: &mut Function, block: Block, index: usize, by: Value) {
    let param = func.blocks[block].params.remove(index);
    func.replace_uses(|v| if v == param { by } else { v });
}

fn drop_result(func: &mut Function, op: Op, k: usize) -> Option<()> {
    let data = func.ops[op].clone();
    let result = data.results[k];
    if !Uses::new(func).is_unused(result) {
        let by = match data.kind {
            OpKind::For => data.args[3 + k],
            _ => simple(func, op, func.ty(result), 1)?,
        };
        func.replace_uses(|v| if v == result { by } else { v });
    }
    func.ops[op].results.remove(k);
    let body = data.regions[0];
    match data.kind {
        OpKind::If => {
            for &region in &data.regions {
                if let Some(end) = func.terminator(region)
                    && func.ops[end].kind == OpKind::Yield
                {
                    func.ops[end].args.remove(k);
                }
            }
        }
        OpKind::For => {
            drop_param(func, body, 1 + k, data.args[3 + k]);
            func.ops[op].args.remove(3 + k);
            drop_jumps(func, body, 0, k, false);
            drop_jumps(func, body, 0, k, true);
        }
        _ => drop_jumps(func, body, 0, k, true),
    }
    Some(())
}

/// Drops operand `k` of each jump to the operation `depth` levels up.
fn drop_jumps(func: &mut Function, block: Block, depth: u32, k: usize, breaks: bool) {
    for op in func.blocks[block].ops.clone() {
        let hits = match func.ops[op].kind {
            OpKind::Break(d) => breaks && d == depth,
            OpKind::Continue(d) => !breaks && d == depth,
            _ => false,
        };
        if hits {
            func.ops[op].args.remove(k);
        }
        let inner = depth + u32::from(func.ops[op].kind.is_breakable());
        for region in func.ops[op].regions.clone() {
            drop_jumps(func, region, inner, k, breaks);
        }
    }
}
