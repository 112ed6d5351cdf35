//! Parallel loops: the body becomes a function of its own, which the runtime runs in chunks.
//!
//! The body's function gets the values that it uses of its surroundings as words, and has its own owner
//! slots and error exit. Constants and array dimensions are made again inside, so that LLVM keeps knowing them.

use crate::builder::V;
use crate::function::{FuncCx, Lowered};
use crate::loops::Range;
use crate::module::ModuleCx;
use crate::scalar::{self, Scalars};
use crate::types::Val;
use inkwell::types::FunctionType;
use inkwell::values::FunctionValue;
use pydd_abi::layout;
use pydd_codegen::cost::{Cost, Trip};
use pydd_codegen::{captures, words};
use pydd_ir::{DType, ElemOp, Exc, Op, OpKind, ReduceOp, Type, Value};

/// What the body's function takes from outside.
struct Captures {
    /// Passed as words.
    passed: Vec<Value>,
    /// Operations without effects that are lowered again inside.
    repeated: Vec<Op>,
}

impl<'c, 'a> FuncCx<'c, 'a> {
    pub fn lower_pfor(&mut self, op: Op) -> Lowered {
        let func = self.func;
        let data = &func.ops[op];
        let OpKind::PFor(reduce) = &data.kind else { panic!("a parallel loop") };
        let range = self.range(&data.args[..3], data.loc);
        let init = &data.args[3..];
        let types: Vec<DType> = init.iter().map(|&v| self.ty(v).dtype().expect("reduced scalars")).collect();
        let captures = self.captures(op);
        let body = self.body_function(op, range, &captures)?;

        let env = self.environment(range, &captures);
        let count = words::total(init.iter().map(|&v| self.ty(v)));
        let (acc, identity, combine) = if count == 0 {
            (self.ir.null(), self.ir.null(), self.ir.null())
        } else {
            let (acc, identity) = (self.alloca_words(count), self.alloca_words(count));
            self.store_words(acc, init);
            self.identities(identity, reduce, &types, init);
            (acc, identity, function_pointer(combine_function(self.m, reduce, &types, op, self)?))
        };
        // An error of a body brings its own site along.
        self.set_site(self.site(Exc::RuntimeError, data.loc, None));
        let cost = Cost::of(func, data.regions[0], &|value| self.is_bound(value));
        let words = self.ir.i64(i64::try_from(count).expect("few words"));
        let args = [
            self.ctx,
            self.trip_count(range),
            self.cost(&cost),
            function_pointer(body),
            env,
            acc,
            identity,
            words,
            combine,
        ];
        self.runtime_call_sited(layout::TABLE_PAR_FOR, &args);
        let mut word = 0;
        for &result in &data.results {
            let parts = self.load_words(self.ir.field(acc, word * 8), self.ty(result));
            word += parts.len();
            self.bind_parts(result, &parts);
        }
        Ok(())
    }

    fn captures(&self, op: Op) -> Captures {
        let func = self.func;
        let mut captures = Captures { passed: Vec::new(), repeated: Vec::new() };
        for value in captures::of(func, func.ops[op].regions[0]) {
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
    fn environment(&self, range: Range<'c>, captures: &Captures) -> V<'c> {
        let count = 2 + words::total(captures.passed.iter().map(|&v| self.ty(v)));
        let env = self.alloca_words(count);
        let (start, step) = match range {
            Range::Unit { start, .. } => (start, self.ir.i64(0)),
            Range::Counted { start, step, .. } => (start, step),
        };
        self.ir.store(env, start);
        self.ir.store_field(env, 8, step);
        self.store_words(self.ir.field(env, 16), &captures.passed);
        env
    }

    /// What a chunk starts from.
    fn identities(&self, at: V<'c>, reduce: &[ReduceOp], types: &[DType], init: &[Value]) {
        let mut word = 0;
        for ((&op, &dtype), &init) in reduce.iter().zip(types).zip(init) {
            let val = match op {
                ReduceOp::Sum | ReduceOp::Any => self.number(0.0, dtype),
                ReduceOp::Prod | ReduceOp::All => self.number(1.0, dtype),
                _ => self.val(init).clone(),
            };
            for part in val.parts() {
                self.store_word(self.ir.field(at, word * 8), part, Some(dtype));
                word += 1;
            }
        }
    }

    fn number(&self, value: f64, dtype: DType) -> Val<'c> {
        let part = |value: f64| -> V<'c> {
            match self.ir.scalar_type(dtype) {
                inkwell::types::BasicTypeEnum::FloatType(ty) => ty.const_float(value).into(),
                ty => ty.into_int_type().const_int(u64::from(value != 0.0), false).into(),
            }
        };
        if dtype.is_complex() { Val::Complex(part(value), part(0.0)) } else { Val::Scalar(part(value)) }
    }

    /// `(ctx, env, begin, end, acc) -> status`: iterations `begin..end`, counted from 0.
    fn body_function(
        &self,
        op: Op,
        range: Range<'c>,
        captures: &Captures,
    ) -> Result<FunctionValue<'c>, pydd_codegen::CodegenError> {
        let (ptr, int) = (self.ir.ptr_type().into(), self.m.cx.i64_type().into());
        let ty = self.m.cx.i32_type().fn_type(&[ptr, ptr, int, int, ptr], false);
        let name = format!("{}.pfor.{}", self.func.name, self.m.unique());
        let function = self.m.private_function(&name, ty, self.func.version);
        let params = function.get_params();
        let mut f = FuncCx::new(self.m, self.func, self.facts, function, params[0], params[4]);
        let region = f.func.ops[op].regions[0];
        f.take_slots(region);
        f.bind_captures(params[1], captures);
        let range = f.chunk(range, params[1], params[2], params[3]);
        let init = f.load_accumulators(op);
        let results = &f.func.ops[op].results;
        f.loop_over(range, op, &init, results)?;
        f.store_words(f.out, results);
        f.leave(false);
        f.finish();
        Ok(function)
    }

    fn bind_captures(&mut self, env: V<'c>, captures: &Captures) {
        let mut word = 2;
        for &value in &captures.passed {
            let parts = self.load_words(self.ir.field(env, word * 8), self.ty(value));
            word += parts.len();
            self.bind_parts(value, &parts);
        }
        for &op in &captures.repeated {
            self.op(op).expect("constants and dimensions have lowerings");
        }
    }

    /// The part of the outer range that a chunk runs.
    fn chunk(&self, outer: Range<'c>, env: V<'c>, begin: V<'c>, end: V<'c>) -> Range<'c> {
        let ir = &self.ir;
        let start = ir.load(ir.i64_type(), env);
        match outer {
            Range::Unit { up: true, .. } => {
                Range::Unit { start: ir.add_nsw(start, begin), stop: ir.add_nsw(start, end), up: true }
            }
            Range::Unit { up: false, .. } => {
                Range::Unit { start: ir.sub_nsw(start, begin), stop: ir.sub_nsw(start, end), up: false }
            }
            Range::Counted { step: outer, .. } => {
                let step = match ir.const_value(outer) {
                    Some(step) => ir.i64(step),
                    None => ir.load_field(ir.i64_type(), env, 8),
                };
                let first = ir.add(start, ir.mul(begin, step));
                Range::Counted { start: first, step, count: ir.sub(end, begin) }
            }
        }
    }

    fn load_accumulators(&self, op: Op) -> Vec<Val<'c>> {
        let mut word = 0;
        let mut values = Vec::new();
        for &result in &self.func.ops[op].results {
            let ty = self.ty(result);
            let parts = self.load_words(self.ir.field(self.out, word * 8), ty);
            word += parts.len();
            values.push(Val::from_parts(ty, &parts));
        }
        values
    }

    /// The cost of one iteration as a number, at least roughly; it can't overflow.
    pub fn cost(&self, cost: &Cost) -> V<'c> {
        let ir = &self.ir;
        let clamp = |value, most: i64| {
            let most = ir.i64(most);
            ir.select(ir.slt(value, most), value, most)
        };
        let mut total = ir.i64(cost.ops.min(1 << 40));
        for (trip, body) in &cost.loops {
            let count = match *trip {
                Trip::Known(n) => ir.i64(n),
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
    fn cost_value(&self, value: Value) -> V<'c> {
        match self.func.as_const(value) {
            Some(literal) if !self.is_bound(value) => self.literal(literal, self.ty(value)).scalar(),
            _ => self.scalar(value),
        }
    }
}

fn function_pointer<'c>(function: FunctionValue<'c>) -> V<'c> {
    function.as_global_value().as_pointer_value().into()
}

/// `(acc, part)`: combines all accumulators of a loop.
fn combine_function<'c>(
    m: &ModuleCx<'c, '_>,
    reduce: &[ReduceOp],
    types: &[DType],
    op: Op,
    f: &FuncCx<'c, '_>,
) -> Result<FunctionValue<'c>, pydd_codegen::CodegenError> {
    let names: Vec<String> = reduce.iter().zip(types).map(|(r, d)| format!("{}.{d}", r.name())).collect();
    let name = format!("combine.{}", names.join("."));
    if let Some(made) = m.llvm.get_function(&format!("pydd.{name}")) {
        return Ok(made);
    }
    let ptr = f.ir.ptr_type().into();
    let ty: FunctionType<'c> = m.cx.void_type().fn_type(&[ptr, ptr], false);
    let function = m.private_function(&name, ty, pydd_ir::Version::Any);
    let ir = crate::builder::Ir::new(m.cx);
    ir.at(m.cx.append_basic_block(function, ""));
    let params = function.get_params();
    let scalars = Scalars { m, ir: &ir, flags: scalar::flags(m.options, false), last: None };
    let mut word = 0;
    for (&reduction, &dtype) in reduce.iter().zip(types) {
        let ty = Type::Scalar(dtype);
        let load = |at| Val::from_parts(ty, &crate::memory::load_words(&ir, ir.field(at, word * 8), ty));
        let sides = [load(params[0]), load(params[1])];
        let combined = step(reduction).and_then(|elem| scalars.elem(elem, dtype, &sides));
        let Some(combined) = combined else {
            return f.unsupported(op, format!("reducing {} by '{}'", dtype.numpy_name(), reduction.name()));
        };
        for part in combined.parts() {
            crate::memory::store_word(&ir, ir.field(params[0], word * 8), part, Some(dtype));
            word += 1;
        }
    }
    ir.ret(None);
    Ok(function)
}

/// One step of a reduction.
const fn step(reduction: ReduceOp) -> Option<ElemOp> {
    Some(match reduction {
        ReduceOp::Sum => ElemOp::Add,
        ReduceOp::Prod => ElemOp::Mul,
        ReduceOp::Min => ElemOp::Min,
        ReduceOp::Max => ElemOp::Max,
        ReduceOp::Any => ElemOp::Or,
        ReduceOp::All => ElemOp::And,
        ReduceOp::ArgMin | ReduceOp::ArgMax => return None,
    })
}
