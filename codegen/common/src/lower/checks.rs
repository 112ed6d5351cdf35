//! What can raise, and how a failure leaves the function.

use crate::emit::{Emit, EmitExt, IntCmp, Ty};
use crate::lower::function::FuncCx;
use crate::lower::helpers::Helper;
use pydd_abi::layout;
use pydd_ir::{Exc, Loc, Message, Op, Type, Value};

/// What a failure of a callee says in the context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Failure {
    AsIs,
    /// It has no place but this site.
    At(u32),
    /// Its place is where this site's function was called.
    CalledAt(u32),
}

impl<E: Emit> FuncCx<'_, E> {
    /// The number of a place that can raise.
    pub fn site(&self, exc: Exc, loc: Loc, message: Option<Message>) -> u32 {
        self.m.known.sites.borrow_mut().intern(exc, loc, message)
    }

    pub fn check(&mut self, op: Op, exc: Exc, message: Option<&Message>) {
        let data = &self.func.ops[op];
        let site = self.site(exc, data.loc, message.cloned());
        let payload = self.payload(&data.args[1..]);
        self.fail_unless(self.scalar(data.args[0]), site, &payload);
    }

    pub fn raise(&mut self, op: Op, exc: Exc, message: Option<&Message>) {
        let data = &self.func.ops[op];
        let site = self.site(exc, data.loc, message.cloned());
        let payload = self.payload(&data.args);
        self.fail(site, &payload);
    }

    /// What a message shows: integers, and the bits of floats.
    fn payload(&self, values: &[Value]) -> Vec<E::V> {
        let word = |&value: &Value| match self.ty(value) {
            Type::F64 => self.ir.float_bits(self.scalar(value)),
            _ => self.scalar(value),
        };
        values.iter().map(word).collect()
    }

    /// Goes on if `cond`, else leaves with the error of `site`.
    pub fn fail_unless(&mut self, cond: E::V, site: u32, payload: &[E::V]) {
        if self.ir.const_int(cond).is_some_and(|cond| cond != 0) {
            return;
        }
        let (failed, ok) = (self.ir.label("fail"), self.ir.label("ok"));
        self.ir.likely(cond, ok, failed);
        self.ir.at(failed);
        self.fail(site, payload);
        self.ir.at(ok);
    }

    /// Leaves with the error of `site`; ends the block.
    pub fn fail(&mut self, site: u32, payload: &[E::V]) {
        if let Some(failing) = self.failing {
            self.ir.br(failing, &[]);
            return;
        }
        let payload = &payload[..payload.len().min(pydd_abi::MAX_PAYLOAD)];
        let function = self.m.shared_helper(Helper::Fail(payload.len()));
        let mut args = vec![self.ctx, self.ir.i32(site)];
        args.extend(payload.iter().map(|&value| self.ir.int_cast(value, Ty::I64, true)));
        self.ir.call(function, &args);
        self.leave(true);
    }

    pub fn set_site(&self, site: u32) {
        self.ir.store(self.ctx, layout::CTX_SITE, self.ir.i32(site));
    }

    /// Goes on if `status` is 0, else passes the failure on, with `site` where the callee has set none.
    pub fn pass_failure(&mut self, status: E::V, site: Option<u32>) {
        self.leave_unless_zero(status, site.map_or(Failure::AsIs, Failure::At));
    }

    /// As [`Self::pass_failure`], of a function of the module; `caller` is the place of a call whose function is
    /// nowhere itself.
    pub fn pass_failure_of_call(&mut self, status: E::V, caller: Option<Loc>) {
        let site = caller.map(|loc| self.site(Exc::RuntimeError, loc, None));
        self.leave_unless_zero(status, site.map_or(Failure::AsIs, Failure::CalledAt));
    }

    /// Failures that say the same leave the function at one place.
    fn leave_unless_zero(&mut self, status: E::V, failure: Failure) {
        let ok = self.ir.label("ok");
        let known = self.failures.get(&failure).copied();
        let failed = known.unwrap_or_else(|| self.ir.label("failed"));
        self.ir.likely(self.ir.is_zero(status), ok, failed);
        if known.is_none() {
            self.failures.insert(failure, failed);
            self.ir.at(failed);
            match failure {
                Failure::AsIs => {}
                Failure::At(site) => self.set_site(site),
                Failure::CalledAt(site) => {
                    self.ir.store(self.ctx, layout::CTX_CALLER, self.ir.i32(site + 1));
                }
            }
            self.leave(true);
        }
        self.ir.at(ok);
    }

    /// Ends endless recursion with an exception before the stack ends.
    pub fn stack_check(&mut self) {
        let here = self.ir.stack_pointer();
        let limit = self.ir.load_constant(Ty::I64, self.ctx, layout::CTX_STACK_LIMIT);
        let deep = self.ir.icmp(IntCmp::Uge, here, limit);
        let loc = self.function_loc();
        let site =
            self.site(Exc::RecursionError, loc, Some(Message::text("maximum recursion depth exceeded")));
        self.fail_unless(deep, site, &[]);
    }

    /// The first known place in the function.
    fn function_loc(&self) -> Loc {
        let ops = &self.func.blocks[self.func.entry].ops;
        ops.iter().map(|&op| self.func.ops[op].loc).find(|loc| loc.line != 0).unwrap_or_default()
    }
}
