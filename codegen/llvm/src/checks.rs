//! What can raise, and how a failure leaves the function.

use crate::builder::V;
use crate::function::FuncCx;
use inkwell::IntPredicate;
use pydd_abi::layout;
use pydd_ir::{Exc, Loc, Op};

impl<'c> FuncCx<'c, '_> {
    /// The number of a place that can raise.
    pub fn site(&self, exc: Exc, loc: Loc, message: Option<&str>) -> u32 {
        self.m.sites.borrow_mut().intern(exc, loc, message)
    }

    pub fn check(&mut self, op: Op, exc: Exc, message: Option<&str>) {
        let data = &self.func.ops[op];
        let site = self.site(exc, data.loc, message);
        let payload: Vec<V<'c>> = data.args[1..].iter().map(|&p| self.scalar(p)).collect();
        self.fail_unless(self.scalar(data.args[0]), site, &payload);
    }

    pub fn raise(&mut self, op: Op, exc: Exc, message: Option<&str>) {
        let data = &self.func.ops[op];
        let site = self.site(exc, data.loc, message);
        let payload: Vec<V<'c>> = data.args.iter().map(|&p| self.scalar(p)).collect();
        self.fail(site, &payload);
    }

    /// Goes on if `cond`, else leaves with the error of `site`.
    pub fn fail_unless(&mut self, cond: V<'c>, site: u32, payload: &[V<'c>]) {
        if cond.into_int_value().get_zero_extended_constant() == Some(1) {
            return;
        }
        let (failed, ok) = (self.ir.label("fail"), self.ir.label("ok"));
        self.ir.likely(cond, ok, failed);
        self.ir.at(failed);
        self.fail(site, payload);
        self.ir.at(ok);
    }

    /// Leaves with the error of `site`; ends the block.
    pub fn fail(&mut self, site: u32, payload: &[V<'c>]) {
        for (i, &value) in payload.iter().enumerate().take(pydd_abi::MAX_PAYLOAD) {
            self.ir.store_field(self.ctx, layout::CTX_PAYLOAD + 8 * i, value);
        }
        self.set_site(site);
        self.leave(true);
    }

    pub fn set_site(&self, site: u32) {
        self.ir.store_field(self.ctx, layout::CTX_SITE, self.ir.i32(site));
    }

    /// Goes on if `status` is 0, else passes the failure on, with `site` where the callee has set none.
    pub fn pass_failure(&mut self, status: V<'c>, site: Option<u32>) {
        let (failed, ok) = (self.ir.label("failed"), self.ir.label("ok"));
        self.ir.likely(self.ir.is_zero(status), ok, failed);
        self.ir.at(failed);
        if let Some(site) = site {
            self.set_site(site);
        }
        self.leave(true);
        self.ir.at(ok);
    }

    /// Ends endless recursion with an exception before the stack ends.
    pub fn stack_check(&mut self) {
        let address =
            self.m.intrinsic(&self.ir, "llvm.frameaddress", &[self.ir.ptr_type().into()], &[self.ir.i32(0)]);
        let here = self.ir.ptr_to_int(address);
        let limit = self.ir.load_field(self.ir.i64_type(), self.ctx, layout::CTX_STACK_LIMIT);
        let limit = self.ir.set_invariant(limit);
        let deep = self.ir.icmp(IntPredicate::UGE, here, limit);
        let loc = self.function_loc();
        let site = self.site(Exc::RecursionError, loc, Some("maximum recursion depth exceeded"));
        self.fail_unless(deep, site, &[]);
    }

    /// The first known place in the function.
    fn function_loc(&self) -> Loc {
        let ops = &self.func.blocks[self.func.entry].ops;
        ops.iter().map(|&op| self.func.ops[op].loc).find(|loc| loc.line != 0).unwrap_or_default()
    }
}
