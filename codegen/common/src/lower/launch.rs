//! Launches: the runtime calls the function that a parallel loop's body became, for parts of the range. Where there is only one
//! part, the code here calls it.
//!
//! Of a loop that has a kernel the runtime is asked first whether a device runs it.
//!
//! The runtime calls it through a function of its own kind, which finds start, step and captures in an environment of words and
//! the accumulators in place. Lists that iterations append to come behind the accumulators: threads may have their own.

use crate::Image;
use crate::emit::{Declaration, Emit, EmitExt, Linkage, Signature, Touches, Ty};
use crate::lower::function::{FuncCx, Lowered};
use crate::lower::memory::{load_words, store_word};
use crate::lower::module::source;
use crate::lower::regions;
use crate::lower::values::Val;
use crate::words;
use pydd_abi::RuntimeFn;
use pydd_abi::device::{DECLINED, LOOP_WORDS};
use pydd_abi::parts::TWO_PARTS;
use pydd_ir::sharing::Sharing;
use pydd_ir::{DType, Exc, FuncRef, Function, LAUNCH_CAPTURES, Literal, Op, ReduceOp, Region, Type, Value};

impl<'a, E: Emit> FuncCx<'a, E> {
    pub fn launch(&mut self, op: Op, callee: FuncRef) -> Lowered {
        let func = self.func;
        let data = &func.ops[op];
        let region = region(&self.m.module.funcs[callee]);
        let range = self.range(&data.args[..3], data.loc);
        let (captures, init) = data.args[LAUNCH_CAPTURES..].split_at(region.captures.len());
        let count = words::total(init.iter().map(|&v| self.ty(v)));
        let acc = (count > 0).then(|| [0; 3].map(|_| self.ir.stack_words(count)));
        let mut combine = None;
        if let Some([acc, identity, _]) = acc {
            let types: Vec<DType> =
                init.iter().map(|&v| self.ty(v).dtype().expect("reduced scalars")).collect();
            self.store_words(acc, init);
            self.identities(identity, &region.reduce, init);
            let function = self.m.combine_function(&region.reduce, &types);
            combine = Some(function.or_else(|what| self.unsupported(op, what))?);
        }
        let trips = self.trip_count(range);
        if self.m.on_device {
            self.call_at_once(callee, &data.args, trips, acc, combine);
            return Ok(());
        }
        let body = self.ir.function_pointer(self.m.part_function(callee, || self.body_function(callee)));
        let [one_part, parts, done] = ["one_part", "parts", "launched"].map(|name| self.ir.label(name));
        let kernel = self.m.options.kernels.as_ref();
        let kernel = kernel.and_then(|k| k.describe(self.m.module, callee, self.m.options.device_code()));
        if let Some(kernel) = kernel {
            self.launch_on_device(&kernel, op, region, trips, body, acc, combine, done);
        }
        self.ir.cond_br(self.is_one_part(trips, data.args[3]), one_part, parts);

        self.ir.at(one_part);
        self.call_at_once(callee, &data.args, trips, acc, combine);
        self.ir.br(done, &[]);

        self.ir.at(parts);
        let env = self.environment([data.args[0], data.args[2]], captures, region);
        let null = self.ir.null();
        let [acc_words, identity, _] = acc.unwrap_or([null; 3]);
        let combine = combine.map_or(null, |function| self.ir.function_pointer(function));
        // An error of a body brings its own site along.
        self.set_site(self.site(Exc::RuntimeError, data.loc, None));
        let cost = if region.updates() {
            self.ir.neg(self.scalar(data.args[3]))
        } else {
            self.signed_cost(data.args[3], data.args[4])
        };
        let words = self.ir.count(count);
        let mut args = vec![self.ctx, trips, cost, body, env, acc_words, identity, words, combine];
        let appended: Vec<Value> = appended(region).map(|at| captures[at]).collect();
        let mut function = RuntimeFn::par_for;
        if !appended.is_empty() {
            function = RuntimeFn::par_append;
            let lists = self.ir.stack_words(appended.len());
            self.store_words(lists, &appended);
            args.extend([lists, self.ir.count(appended.len())]);
        }
        self.runtime_call_sited(function, &args);
        self.ir.br(done, &[]);

        self.ir.at(done);
        let mut word = 0;
        for &result in &data.results {
            let parts = load_words(&self.ir, self.ir.field(acc_words, word * 8), self.ty(result));
            word += parts.len();
            self.bind_parts(result, &parts);
        }
        Ok(())
    }

    /// Asks the runtime to run the loop on a device; goes on where it declines.
    fn launch_on_device(
        &mut self,
        kernel: &Image,
        op: Op,
        region: &Region,
        trips: E::V,
        body: E::V,
        acc: Option<[E::V; 3]>,
        combine: Option<E::Function>,
        done: E::Label,
    ) {
        let data = &self.func.ops[op];
        let captures = &data.args[LAUNCH_CAPTURES..LAUNCH_CAPTURES + region.captures.len()];
        let env = self.environment([data.args[0], data.args[2]], captures, region);
        let [acc, identity, _] = acc.unwrap_or([self.ir.null(); 3]);
        let combine = combine.map_or(self.ir.null(), |function| self.ir.function_pointer(function));
        let kernel = self.ir.image(kernel, &|_| unreachable!("a loop's description has no entries"));
        self.set_site(self.site(Exc::RuntimeError, data.loc, None));
        let cost = self.signed_cost(data.args[3], data.args[4]);
        let args = [self.ctx, kernel, trips, cost, body, env, acc, identity, combine];
        let status = self.runtime_status(RuntimeFn::device_for, &args, Touches::Anything);
        let [ran, declined] = ["device", "declined"].map(|name| self.ir.label(name));
        let is_declined = self.ir.eq(status, self.ir.int(Ty::I32, i64::from(DECLINED)));
        self.ir.cond_br(is_declined, declined, ran);
        self.ir.at(ran);
        self.pass_failure(status, None);
        self.ir.br(done, &[]);
        self.ir.at(declined);
    }

    /// Whether loops should run on a device now.
    pub fn device_wanted(&mut self, op: Op) {
        let wanted = self.runtime_status(RuntimeFn::device_wanted, &[], Touches::Arguments);
        let wanted = self.ir.ne(wanted, self.ir.i32(0));
        self.bind(self.func.result(op), Val::Scalar(wanted));
    }

    /// Lets the processor have what an array spans.
    pub fn host_access(&mut self, op: Op, writes: bool) {
        let data = &self.func.ops[op];
        let args = [self.ctx, self.array_ref(data.args[0]), self.ir.i32(u32::from(writes))];
        self.runtime_call(RuntimeFn::host_access, &args, data.loc);
    }

    /// Whether all iterations are one part, as `pydd_abi::parts` has it: then the runtime is not asked.
    fn is_one_part(&self, trips: E::V, cost: Value) -> E::V {
        let ir = &self.ir;
        if self.m.options.always_launch {
            return ir.bool(false);
        }
        let cost = self.scalar(cost);
        let least = ir.i64(TWO_PARTS);
        // Where both are small, so is the product, that is right.
        let small = ir.and(ir.slt(trips, least), ir.slt(cost, least));
        ir.and(small, ir.slt(ir.mul(trips, cost), least))
    }

    /// Calls the region for all iterations, and combines what it gives with the initial values.
    fn call_at_once(
        &mut self,
        callee: FuncRef,
        launched: &[Value],
        trips: E::V,
        acc: Option<[E::V; 3]>,
        combine: Option<E::Function>,
    ) {
        let region = region(&self.m.module.funcs[callee]);
        let captures = &launched[LAUNCH_CAPTURES..LAUNCH_CAPTURES + region.captures.len()];
        let init = &launched[LAUNCH_CAPTURES + region.captures.len()..];
        let [acc, identity, part] = acc.unwrap_or([self.ir.null(); 3]);
        let mut args =
            vec![self.ctx, self.ir.i64(0), trips, self.scalar(launched[0]), self.scalar(launched[2])];
        args.extend(captures.iter().flat_map(|&value| self.val(value).parts()));
        let mut word = 0;
        for &value in init {
            let parts = load_words(&self.ir, self.ir.field(identity, word * 8), self.ty(value));
            word += parts.len();
            args.extend(parts);
        }
        args.push(part);
        let status = self.ir.call_one(self.m.functions[&callee], &args);
        self.pass_failure(status, None);
        if let Some(combine) = combine {
            self.ir.call(combine, &[acc, part]);
        }
    }

    /// The cost of an iteration, negative where iterations have to run in order.
    fn signed_cost(&self, cost: Value, free: Value) -> E::V {
        let value = self.scalar(cost);
        if self.func.as_const(free) == Some(&Literal::Bool(true)) {
            return value;
        }
        self.ir.select(self.scalar(free), value, self.ir.neg(value))
    }

    /// Words of the range and of what is captured, but for lists that are appended to.
    fn environment(&self, range: [Value; 2], captures: &[Value], region: &Region) -> E::V {
        let passed: Vec<Value> = range.into_iter().chain(passed(region).map(|at| captures[at])).collect();
        let env = self.ir.stack_words(words::total(passed.iter().map(|&v| self.ty(v))));
        self.store_words(env, &passed);
        env
    }

    /// What a part starts from.
    fn identities(&self, at: E::V, reduce: &[ReduceOp], init: &[Value]) {
        let mut word = 0;
        for (&op, &init) in reduce.iter().zip(init) {
            let ty = self.ty(init);
            let dtype = ty.dtype().expect("reduced scalars");
            let val = match op.identity(dtype) {
                Some(literal) => self.literal(&literal, ty),
                None => self.val(init).clone(),
            };
            for part in val.parts() {
                store_word(&self.ir, at, word, part, Some(dtype));
                word += 1;
            }
        }
    }

    /// `(ctx, env, begin, end, acc) -> status`: iterations `begin..end`, counted from 0, as the runtime calls them.
    fn body_function(&self, callee: FuncRef) -> E::Function {
        let func = &self.m.module.funcs[callee];
        let region = region(func);
        let signature = Signature::new(&[Ty::Ptr, Ty::Ptr, Ty::I64, Ty::I64, Ty::Ptr], &[Ty::I32]);
        let readable = self.m.options.debug.then(|| regions::readable(self.m.module, callee)).flatten();
        let name = format!("{}.part", readable.as_ref().map_or(&func.name, |names| &names.symbol));
        let declaration = Declaration::new(&name, signature, Linkage::Private);
        let version = func.version;
        let source = match &readable {
            Some(names) => Some(names.source(self.m.module)),
            None => source(self.m.module, func),
        };
        let function = self.m.root.declare(&Declaration { version, source, ..declaration });
        let (ir, params) = self.m.root.open(function);
        let [ctx, env, begin, end, acc] = params[..] else { panic!("five parameters") };
        let types: Vec<Type> = func.params().iter().map(|&param| func.ty(param)).collect();
        let (captured, carried) = types[Region::CAPTURES..].split_at(region.captures.len());
        let mut args = vec![ctx, begin, end, ir.load(Ty::I64, env, 0), ir.load(Ty::I64, env, 8)];
        let (mut word, mut list) = (LOOP_WORDS, words::total(carried.iter().copied()));
        for (capture, &ty) in region.captures.iter().zip(captured) {
            if capture.sharing == Sharing::Appended {
                args.push(ir.load(Ty::Ptr, acc, list * 8));
                list += 1;
            } else {
                let parts = load_words(&ir, ir.field(env, word * 8), ty);
                word += parts.len();
                args.extend(parts);
            }
        }
        let mut word = 0;
        for &ty in carried {
            let parts = load_words(&ir, ir.field(acc, word * 8), ty);
            word += parts.len();
            args.extend(parts);
        }
        args.push(acc);
        let status = ir.call(self.m.functions[&callee], &args);
        ir.ret(&status);
        ir.close();
        function
    }
}

fn region(func: &Function) -> &Region {
    func.region.as_ref().expect("a region is launched")
}

/// The captures that each thread may have one of its own of.
fn appended(region: &Region) -> impl Iterator<Item = usize> + '_ {
    let is_appended = |at: &usize| region.captures[*at].sharing == Sharing::Appended;
    (0..region.captures.len()).filter(is_appended)
}

/// The captures that stand in the environment.
fn passed(region: &Region) -> impl Iterator<Item = usize> + '_ {
    let is_passed = |at: &usize| region.captures[*at].sharing != Sharing::Appended;
    (0..region.captures.len()).filter(is_passed)
}
