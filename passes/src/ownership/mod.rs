//! Who frees what: every owner gets a slot of the frame, released when it is no longer needed.
//!
//! ```text
//! %a = empty %n                                  %a = empty %n          own %a, slot0
//! %r = loop (%a) { |%p|                     ⇒    own %a, slot1 retain   (the carried variable's slot)
//!     %b = call @f(%p)                           %r = loop (%a) { |%p|
//!     if … { break %b }                              %b = call @f(%p)   own %b, slot2
//!     continue %b                                    if … { break %b }
//! }                                                  own %b, slot1 retain     disown slot2
//! return %r                                          continue %b } …
//! ```
//!
//! - An operation that gives a fresh owner has its own slot. When it runs again, its old value is dead,
//!   unless a loop carries it.
//! - Each array or list that a loop carries has a slot too, which adds a count at every `continue`. Several
//!   at once (`a, b = b, a`) are all retained before any is released.
//! - A slot is released after the last use of what relies on it (views and results of `if`, loops and
//!   scopes included), where that is known; at the latest where the function is left.
//! - A list or an array that is taken out of a list has a slot as well, which adds a count, unless it is only looked at while
//!   nothing changes the list that holds it (`borrow.rs`).
//! - Slots used in a parallel loop's body are used nowhere else.
//!
//! Parameters are borrowed. Returned values are retained by the code generator before slots are released.
//! It does not reuse memory.

mod borrow;
mod release;
mod slots;

use pydd_ir::{Level, Module};

use crate::pass::{Finding, Need, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "ownership",
    summary: "give every owner a slot of the frame and release it after its last use",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::Always,
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    for func in module.funcs.values_mut() {
        let assigned = slots::assign(func);
        release::place(func, assigned);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
