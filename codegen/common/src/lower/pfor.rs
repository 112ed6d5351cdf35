//! Parallel loops: the body becomes a function of its own, which the runtime runs in chunks.
//!
//! The body's function gets the values that it uses of its surroundings as words, and has its own owner
//! slots and error exit. Constants and array dimensions are made again inside, so that LLVM keeps knowing them. Lists
//! that it appends to come behind the accumulators: each chunk may have its own.

use crate::CodegenError;
use crate::cost::{Cost, Trip};
use crate::emit::{Declaration, Emit, EmitExt, Linkage, Signature, Ty};
use crate::lower::function::{FuncCx, Lowered};
use crate::lower::loops::Range;
use crate::lower::memory::{load_words, store_word};
use crate::lower::module::source;
use crate::lower::scalar::{self, Scalars};
use crate::lower::values::{Val, scalar_type};
use crate::{captures, parallel, words};
use pydd_abi::RuntimeFn;
use pydd_ir::{DType, ElemOp, Exc, Op, OpKind, ReduceOp, Type, Value};

/// How the index runs, as far as it is known at compile time.
#[derive(Clone, Copy)]
enum Step {
    Unit {
        up: bool,
    },
    Constant(i64),
    /// A word of the environment.
    Passed,
}

/// What the body's function takes from outside.
struct Captures {
    /// Passed as words.
    passed: Vec<Value>,
    /// Operations without effects that are lowered again inside.
    repeated: Vec<Op>,
    /// Lists that are appended to.
    appended: Vec<Value>,
}

impl<'a, E: Emit> FuncCx<'a, E> {
    pub fn lower_pfor(&mut self, op: Op) -> Lowered {
        let func = self.func;
        let data = &func.ops[op];
        let OpKind::PFor(parallel) = &data.kind else { panic!("a parallel loop") };
        let reduce = &parallel.reduce;
        let range = self.range(&data.args[..3], data.loc);
        let init = &data.args[3..];
        let types: Vec<DType> = init.iter().map(|&v| self.ty(v).dtype().expect("reduced scalars")).collect();
        let captures = self.captures(op);
        let body = self.body_function(op, self.step(range), &captures)?;

        let env = self.environment(range, &captures);
        let count = words::total(init.iter().map(|&v| self.ty(v)));
        let (acc, identity, combine) = if count == 0 {
            (self.ir.null(), self.ir.null(), self.ir.null())
        } else {
            let (acc, identity) = (self.ir.stack_words(count), self.ir.stack_words(count));
            self.store_words(acc, init);
            self.identities(identity, reduce, &types, init);
            (acc, identity, self.ir.function_pointer(self.combine_function(reduce, &types, op)?))
        };
        // An error of a body brings its own site along.
        self.set_site(self.site(Exc::RuntimeError, data.loc, None));
        let cost = Cost::of(func, data.regions[0], &|value| self.is_bound(value));
        let words = self.ir.count(count);
        let mut args = vec![
            self.ctx,
            self.trip_count(range),
            self.cost(&cost),
            self.ir.function_pointer(body),
            env,
            acc,
            identity,
            words,
            combine,
        ];
        let mut function = RuntimeFn::par_for;
        if !captures.appended.is_empty() {
            function = RuntimeFn::par_append;
            let lists = self.ir.stack_words(captures.appended.len());
            self.store_words(lists, &captures.appended);
            args.extend([lists, self.ir.count(captures.appended.len())]);
        }
        self.runtime_call_sited(function, &args);
        let mut word = 0;
        for &result in &data.results {
            let parts = load_words(&self.ir, self.ir.field(acc, word * 8), self.ty(result));
            word += parts.len();
            self.bind_parts(result, &parts);
        }
        Ok(())
    }

    fn captures(&self, op: Op) -> Captures {
        let func = self.func;
        let appended = parallel::appended(func, &self.facts.memory, op);
        let mut captures = Captures { passed: Vec::new(), repeated: Vec::new(), appended };
        for value in captures::of(func, func.ops[op].regions[0]) {
            if captures.appended.contains(&value) {
                continue;
            }
            let def = func.def_op(value);
            let passed = match def.map(|op| &func.ops[op].kind) {
                Some(OpKind::Const(_)) => None,
                Some(OpKind::Dim(_) | OpKind::Stride(_)) => def.map(|op| func.ops[op].args[0]),
                _ => Some(value),
            };
            if passed != Some(value) {
                captures.repeated.extend(def);
            }
            captures.passed.extend(passed.filter(|v| !captures.passed.contains(v)));
        }
        captures
    }

    /// Words of the range and of what is passed.
    fn environment(&self, range: Range<E::V>, captures: &Captures) -> E::V {
        let count = 2 + words::total(captures.passed.iter().map(|&v| self.ty(v)));
        let env = self.ir.stack_words(count);
        let (start, step) = match range {
            Range::Unit { start, .. } => (start, self.ir.i64(0)),
            Range::Counted { start, step, .. } => (start, step),
        };
        self.ir.store(env, 0, start);
        self.ir.store(env, 8, step);
        self.store_words(self.ir.field(env, 16), &captures.passed);
        env
    }

    /// What the body's function knows of the range before it runs.
    fn step(&self, range: Range<E::V>) -> Step {
        match range {
            Range::Unit { up, .. } => Step::Unit { up },
            Range::Counted { step, .. } => self.ir.const_int(step).map_or(Step::Passed, Step::Constant),
        }
    }

    /// What a chunk starts from.
    fn identities(&self, at: E::V, reduce: &[ReduceOp], types: &[DType], init: &[Value]) {
        let mut word = 0;
        for ((&op, &dtype), &init) in reduce.iter().zip(types).zip(init) {
            let val = match op {
                ReduceOp::Sum | ReduceOp::Any | ReduceOp::Or | ReduceOp::Xor => self.number(0.0, dtype),
                ReduceOp::Prod | ReduceOp::All => self.number(1.0, dtype),
                _ => self.val(init).clone(),
            };
            for part in val.parts() {
                store_word(&self.ir, at, word, part, Some(dtype));
                word += 1;
            }
        }
    }

    fn number(&self, value: f64, dtype: DType) -> Val<E::V> {
        let part = |value: f64| match scalar_type(dtype) {
            ty if ty.is_float() => self.ir.float(ty, value),
            ty => self.ir.int(ty, i64::from(value != 0.0)),
        };
        if dtype.is_complex() { Val::Complex(part(value), part(0.0)) } else { Val::Scalar(part(value)) }
    }

    /// `(ctx, env, begin, end, acc) -> status`: iterations `begin..end`, counted from 0.
    fn body_function(&self, op: Op, step: Step, captures: &Captures) -> Result<E::Function, CodegenError> {
        let name = format!("{}.pfor.{}", self.func.name, self.m.unique());
        let signature = Signature::new(&[Ty::Ptr, Ty::Ptr, Ty::I64, Ty::I64, Ty::Ptr], &[Ty::I32]);
        let declaration = Declaration::new(&name, signature, Linkage::Private);
        let (version, source) = (self.func.version, source(self.m.module, self.func));
        let function = self.m.root.declare(&Declaration { version, source, ..declaration });
        let (ir, params) = self.m.root.open(function);
        let mut f = FuncCx::new(self.m, self.func, self.facts, ir, params[0], params[4]);
        let region = f.func.ops[op].regions[0];
        f.take_slots(region);
        f.bind_captures(params[1], captures)?;
        let range = f.chunk(step, params[1], params[2], params[3]);
        let init = f.load_accumulators(op);
        let first = words::total(f.func.ops[op].results.iter().map(|&v| f.ty(v)));
        for (word, &list) in (first..).zip(&captures.appended) {
            let pointer = f.ir.load(Ty::Ptr, f.out, word * 8);
            f.bind(list, Val::List(pointer));
        }
        let results = &f.func.ops[op].results;
        f.make_dividers(op);
        f.loop_over(range, op, &init, results)?;
        f.store_words(f.out, results);
        f.leave(false);
        f.finish();
        Ok(function)
    }

    fn bind_captures(&mut self, env: E::V, captures: &Captures) -> Lowered {
        let mut word = 2;
        for &value in &captures.passed {
            let parts = load_words(&self.ir, self.ir.field(env, word * 8), self.ty(value));
            word += parts.len();
            self.bind_parts(value, &parts);
        }
        captures.repeated.iter().try_for_each(|&op| self.op(op))
    }

    /// The part of the whole range that a chunk runs.
    fn chunk(&self, step: Step, env: E::V, begin: E::V, end: E::V) -> Range<E::V> {
        let ir = &self.ir;
        let start = ir.load(Ty::I64, env, 0);
        let step = match step {
            Step::Unit { up: true } => {
                return Range::Unit {
                    start: ir.add_nsw(start, begin),
                    stop: ir.add_nsw(start, end),
                    up: true,
                };
            }
            Step::Unit { up: false } => {
                return Range::Unit {
                    start: ir.sub_nsw(start, begin),
                    stop: ir.sub_nsw(start, end),
                    up: false,
                };
            }
            Step::Constant(step) => ir.i64(step),
            Step::Passed => ir.load(Ty::I64, env, 8),
        };
        let first = ir.add(start, ir.mul(begin, step));
        Range::Counted { start: first, step, count: ir.sub(end, begin) }
    }

    fn load_accumulators(&self, op: Op) -> Vec<Val<E::V>> {
        let mut word = 0;
        let mut values = Vec::new();
        for &result in &self.func.ops[op].results {
            let ty = self.ty(result);
            let parts = load_words(&self.ir, self.ir.field(self.out, word * 8), ty);
            word += parts.len();
            values.push(Val::from_parts(ty, &parts));
        }
        values
    }

    /// The cost of one iteration as a number, at least roughly; it can't overflow.
    pub fn cost(&self, cost: &Cost) -> E::V {
        let ir = &self.ir;
        let clamp = |value, most: i64| {
            let most = ir.i64(most);
            ir.select(ir.slt(value, most), value, most)
        };
        let mut total = ir.i64(cost.ops.min(1 << 40));
        for (trip, body) in &cost.loops {
            let count = match *trip {
                Trip::Known(n) => ir.i64(n),
                Trip::Count(count) => self.cost_value(count),
                Trip::Range { start, stop, .. } => {
                    let (start, stop) = (self.cost_value(start), self.cost_value(stop));
                    self.trip_count(Range::Unit { start, stop, up: true })
                }
            };
            let all = ir.mul(clamp(count, 1 << 20), self.cost(body));
            total = clamp(ir.add(total, all), 1 << 40);
        }
        total
    }

    /// A value that exists before the loop, or a constant inside of it.
    fn cost_value(&self, value: Value) -> E::V {
        match self.func.as_const(value) {
            Some(literal) if !self.is_bound(value) => self.literal(literal, self.ty(value)).scalar(),
            _ => self.scalar(value),
        }
    }

    /// `(acc, part)`: combines all accumulators of a loop.
    fn combine_function(
        &self,
        reduce: &[ReduceOp],
        types: &[DType],
        op: Op,
    ) -> Result<E::Function, CodegenError> {
        let names: Vec<String> = reduce.iter().zip(types).map(|(r, d)| format!("{}.{d}", r.name())).collect();
        let name = format!("combine.{}", names.join("."));
        let mut unsupported = Ok(());
        let function = self.m.helper(&name, Signature::new(&[Ty::Ptr; 2], &[]), false, |ir, params| {
            let freedom = scalar::freedom(self.m.options, false);
            let scalars = Scalars::outside_loops(self.m, ir, freedom);
            let mut word = 0;
            let mut takes = None;
            for (i, (&reduction, &dtype)) in reduce.iter().zip(types).enumerate() {
                let ty = Type::Scalar(dtype);
                let load = |at| Val::from_parts(ty, &load_words(ir, ir.field(at, word * 8), ty));
                let sides = [load(params[0]), load(params[1])];
                let [before, part] = &sides;
                if let Some(compare) = leads(&reduce[i..]) {
                    takes = scalars.elem(compare, dtype, &[part.clone(), before.clone()]);
                }
                let combined = match (leads(&reduce[i..]), reduction, &takes) {
                    (Some(_), ..) | (_, ReduceOp::ArgMin | ReduceOp::ArgMax, Some(_)) => {
                        takes.clone().and_then(|takes| {
                            scalars.elem(ElemOp::Select, dtype, &[takes, part.clone(), before.clone()])
                        })
                    }
                    // Of two zeros the one before, as where the loop runs in order and keeps the first.
                    (_, ReduceOp::Min | ReduceOp::Max, _) => step(reduction)
                        .and_then(|elem| scalars.elem(elem, dtype, &[part.clone(), before.clone()])),
                    _ => step(reduction).and_then(|elem| scalars.elem(elem, dtype, &sides)),
                };
                let Some(combined) = combined else {
                    let what = format!("reducing {} by '{}'", dtype.numpy_name(), reduction.name());
                    unsupported = self.unsupported(op, what);
                    break;
                };
                for part in combined.parts() {
                    store_word(ir, params[0], word, part, Some(dtype));
                    word += 1;
                }
            }
            Vec::new()
        });
        unsupported.map(|()| function)
    }
}

/// How a value of which others come along is compared with the one before; nothing comes along with the others.
fn leads(reduce: &[ReduceOp]) -> Option<ElemOp> {
    match reduce {
        [ReduceOp::Min, ReduceOp::ArgMin, ..] => Some(ElemOp::Lt),
        [ReduceOp::Max, ReduceOp::ArgMax, ..] => Some(ElemOp::Gt),
        _ => None,
    }
}

/// One step of a reduction.
const fn step(reduction: ReduceOp) -> Option<ElemOp> {
    Some(match reduction {
        ReduceOp::Sum => ElemOp::Add,
        ReduceOp::Prod => ElemOp::Mul,
        ReduceOp::Min => ElemOp::Min,
        ReduceOp::Max => ElemOp::Max,
        ReduceOp::Any | ReduceOp::Or => ElemOp::Or,
        ReduceOp::All | ReduceOp::And => ElemOp::And,
        ReduceOp::Xor => ElemOp::Xor,
        ReduceOp::ArgMin | ReduceOp::ArgMax => return None,
    })
}
