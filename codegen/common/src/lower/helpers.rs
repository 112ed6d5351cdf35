//! Functions that generated code needs beside the program's, once for all units of a module.

use crate::emit::{Declaration, Emit, EmitExt, Linkage, Signature, Touches, Ty};
use pydd_abi::layout;

/// A helper; the unit that has the module's description defines those that any unit calls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Helper {
    /// `(ctx, site, payload…)`: says in `ctx` what failed; with the number of payloads.
    Fail(usize),
    /// `(ctx, slots, count)`: releases what slots that stand together hold.
    ReleaseSlots,
}

impl Helper {
    /// How a unit names it.
    pub fn declare<E: Emit>(self, root: &E) -> E::Function {
        match self {
            Self::Fail(payloads) => {
                let mut params = vec![Ty::Ptr, Ty::I32];
                params.resize(2 + payloads, Ty::I64);
                let name = format!("fail.{payloads}");
                let declaration = Declaration::new(&name, Signature::new(&params, &[]), Linkage::Shared);
                root.declare(&Declaration { cold: true, ..declaration })
            }
            Self::ReleaseSlots => {
                let signature = Signature::new(&[Ty::Ptr, Ty::Ptr, Ty::I64], &[]);
                let declaration = Declaration::new("release.slots", signature, Linkage::Shared);
                root.declare(&Declaration { outlined: true, ..declaration })
            }
        }
    }

    /// Gives it its body.
    pub fn define<E: Emit>(self, root: &E, function: E::Function) {
        let (ir, params) = root.open(function);
        match self {
            Self::Fail(_) => fail(&ir, &params),
            Self::ReleaseSlots => release_slots(&ir, &params),
        }
        ir.ret(&[]);
        ir.close();
    }
}

fn fail<E: Emit>(ir: &E, params: &[E::V]) {
    for (i, &value) in params[2..].iter().enumerate() {
        ir.store(params[0], layout::CTX_PAYLOAD + 8 * i, value);
    }
    ir.store(params[0], layout::CTX_SITE, params[1]);
}

fn release_slots<E: Emit>(ir: &E, params: &[E::V]) {
    let &[ctx, slots, count] = params else { unreachable!("as declared") };
    let [next, body, owned, after, done] =
        ["next", "body", "owned", "after", "done"].map(|name| ir.label(name));
    let i = ir.params(next, &[Ty::I64])[0];
    ir.br(next, &[ir.i64(0)]);
    ir.at(next);
    ir.cond_br(ir.slt(i, count), body, done);
    ir.at(body);
    let owner = ir.load(Ty::Ptr, ir.offset(slots, ir.mul(i, ir.i64(8))), 0);
    ir.cond_br(ir.is_null(owner), after, owned);
    ir.at(owned);
    let table = ir.load_constant(Ty::Ptr, ctx, layout::CTX_TABLE);
    let release = ir.load_constant(Ty::Ptr, table, layout::TABLE_RELEASE);
    ir.call_pointer(&Signature::new(&[Ty::Ptr], &[]), release, &[owner], Touches::Anything);
    ir.br(after, &[]);
    ir.at(after);
    ir.br(next, &[ir.add(i, ir.i64(1))]);
    ir.at(done);
}
