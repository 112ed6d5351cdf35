//! Functions that generated code needs beside the program's, once for all units of a module.

use crate::emit::{Declaration, Emit, EmitExt, Linkage, Signature, Touches, Ty};
use pydd_abi::{RuntimeFn, layout};

/// A helper; the unit that has the module's description defines those that any unit calls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Helper {
    /// `(ctx, site, payload…)`: says in `ctx` what failed; with the number of payloads.
    Fail(usize),
    /// `(ctx, slots, count)`: releases what slots that stand together hold.
    ReleaseSlots,
    /// `(ctx, slot, owner)`: releases what the slot holds and puts an owner, or null, in its place.
    FillSlot,
}

impl Helper {
    /// How a unit names it.
    pub fn declare<E: Emit>(self, root: &E, linkage: Linkage) -> E::Function {
        match self {
            Self::Fail(payloads) => {
                let mut params = vec![Ty::Ptr, Ty::I32];
                params.resize(2 + payloads, Ty::I64);
                let name = format!("fail.{payloads}");
                let declaration = Declaration::new(&name, Signature::new(&params, &[]), linkage);
                root.declare(&Declaration { cold: true, ..declaration })
            }
            Self::ReleaseSlots => {
                let signature = Signature::new(&[Ty::Ptr, Ty::Ptr, Ty::I64], &[]);
                let declaration = Declaration::new("release.slots", signature, linkage);
                root.declare(&Declaration { outlined: true, ..declaration })
            }
            Self::FillSlot => {
                let signature = Signature::new(&[Ty::Ptr, Ty::Ptr, Ty::Ptr], &[]);
                let declaration = Declaration::new("fill.slot", signature, linkage);
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
            Self::FillSlot => fill_slot(&ir, &params),
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
    let [next, body, done] = ["next", "body", "done"].map(|name| ir.label(name));
    let i = ir.params(next, &[Ty::I64])[0];
    ir.br(next, &[ir.i64(0)]);
    ir.at(next);
    ir.cond_br(ir.slt(i, count), body, done);
    ir.at(body);
    let owner = ir.load(Ty::Ptr, ir.offset(slots, ir.mul(i, ir.i64(8))), 0);
    release(ir, ctx, owner);
    ir.br(next, &[ir.add(i, ir.i64(1))]);
    ir.at(done);
}

fn fill_slot<E: Emit>(ir: &E, params: &[E::V]) {
    let &[ctx, slot, owner] = params else { unreachable!("as declared") };
    let old = ir.load(Ty::Ptr, slot, 0);
    ir.store(slot, 0, owner);
    release(ir, ctx, old);
}

/// Takes one from a count, if there is an owner.
fn release<E: Emit>(ir: &E, ctx: E::V, owner: E::V) {
    let (owned, done) = (ir.label("owned"), ir.label("owned.end"));
    ir.cond_br(ir.is_null(owner), done, owned);
    ir.at(owned);
    let table = ir.load_constant(Ty::Ptr, ctx, layout::CTX_TABLE);
    let release = ir.load_constant(Ty::Ptr, table, RuntimeFn::release.offset());
    ir.call_pointer(&Signature::new(&[Ty::Ptr], &[]), release, &[owner], Touches::Anything);
    ir.br(done, &[]);
    ir.at(done);
}
