//! The verifier. It runs after every pass in tests and debug builds.
//!
//! Structure
//!  1. Every reference lies within its table: values, operations, blocks, callees, scopes of locations.
//!  2. A block is the entry or a region of one operation, an operation stands in one block once, and regions
//!     nest at most [`MAX_NESTING`] deep.
//!  3. A value is defined once: what [`ValueData::def`](crate::ValueData) says is where it stands.
//!  4. A block ends with a terminator, and terminators stand nowhere else.
//!  5. An operand is defined before its use, in the same block or in one around it.
//!  6. The operation may stand at the function's level: whole arrays in array IR, raw accesses and owners in
//!     loop IR, elementwise operations and conversions of arrays in array IR only. Array IR has no slots.
//!
//! Operations
//!  7. The number of operands is right.
//!  8. The operands' types are right.
//!  9. The number and the types of the results are right.
//! 10. An elementwise operation or reduction is defined for the element type.
//! 11. Attributes fit: axes are in range (sorted where they are a set, a permutation for `transpose`), a view
//!     does not index more axes than there are, a slot is in the frame, `print` says how to print each item.
//! 12. A constant is of the result's kind and fits its type.
//!
//! Regions and jumps
//! 13. The number of regions and the types of their parameters are right.
//! 14. `yield` ends regions of `if` and `map` and nothing else; a region of `map` ends with `yield` or an
//!     exception and holds only scalar operations that write nothing.
//! 15. `break` and `continue` find the operation that they count, which for `continue` is a loop; only
//!     `continue[0]` and exceptions leave an iteration of `pfor`, only exceptions leave a region of `map`.
//! 16. What `yield`, `continue`, `break` and `return` carry is of the types of what receives it.
//! 17. A `pfor` has one operator for each carried value, which is a scalar that the operator combines.
//! 18. `unreachable` stands behind an operation that may not end normally, or alone.
//! 22. A row of a table is about memory, has a part for each axis, and suits what it is about; what footprints name is
//!     among the operands: numbers are i64, lengths those of arrays.
//! 23. No table is stale: memory from outside that a body writes has a row that says so, and what a row calls only read is
//!     not written.
//!
//! Modules
//! 19. A call's operands and results are those of the callee.
//! 20. Names of functions are not empty and differ.
//! 21. An export's functions take and give what the export's types say; parameter names differ; a default is a constant of its scalar parameter's type,
//!     and no parameter without one follows it, unless it is only given by its name, as all behind such a one are; its functions
//!     write only to parameters that are marked as written.
//! 24. A function that a loop's body became takes and gives what its captures and operators say, is only launched, and
//!     only such ones are; what it writes is captured as written, and of what is captured as reduced elements are updated alone.
//! 25. An export has an entry, and the last one has no guards. Each one is called at times: no guard stands twice, and the guards of none
//!     are all among those of a later one. Where there are several, a `fast` function is guarded by all that may not hold of the arguments,
//!     and a `general` one by nothing.

mod exports;
mod jumps;
mod regions;
mod sharing;
mod structure;
#[cfg(test)]
mod tests;
mod typing;

use std::cell::LazyCell;
use std::fmt;

use crate::alias::Summaries;
use crate::entity::{FuncRef, Op};
use crate::func::{Function, Module};
use crate::op::Level;
use crate::text::{MAX_NESTING, print_op};

/// The number of rules.
pub const RULES: u8 = 25;

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// As in the list above.
    pub rule: u8,
    /// The function's name; empty for what concerns the module.
    pub func: String,
    /// The operation's text.
    pub op: Option<String>,
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.func.is_empty() {
            write!(f, "@{}: ", self.func)?;
        }
        if let Some(op) = &self.op {
            write!(f, "`{op}`: ")?;
        }
        write!(f, "{} (rule {})", self.message, self.rule)
    }
}

impl std::error::Error for VerifyError {}

/// Checks a module.
///
/// # Errors
/// All broken rules that do not follow from others: at most one for each operation.
pub fn verify(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    let summaries = LazyCell::new(|| Summaries::of_callees(module));
    for func in module.funcs.keys() {
        function(module, func, &summaries, &mut errors);
    }
    exports::check(module, &mut errors);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Checks a module that was made of a sound one: functions that are as they were stay sound while what they
/// call has the signature that it had.
///
/// # Errors
/// As [`verify`].
pub fn verify_changed(module: &Module, before: &Module) -> Result<(), Vec<VerifyError>> {
    if module == before {
        return Ok(());
    }
    let same_signatures = module.funcs.len() == before.funcs.len()
        && module.funcs.keys().all(|func| module.funcs[func].has_signature_of(&before.funcs[func]));
    if !same_signatures || module.exceptions != before.exceptions || module.scopes != before.scopes {
        return verify(module);
    }
    let mut errors = Vec::new();
    let summaries = LazyCell::new(|| Summaries::of_callees(module));
    for func in module.funcs.keys() {
        let data = &module.funcs[func];
        // What tables say of a call depends on the callee's body.
        if *data != before.funcs[func] || sharing::has_tables(data) {
            function(module, func, &summaries, &mut errors);
        }
    }
    exports::check(module, &mut errors);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Checks one function of a module.
///
/// # Errors
/// As [`verify`].
pub fn verify_function(module: &Module, func: FuncRef) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    function(module, func, &LazyCell::new(|| Summaries::of_callees(module)), &mut errors);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// A broken rule at a known place.
struct Fault {
    rule: u8,
    message: String,
}

type Check = Result<(), Fault>;

fn fault<T>(rule: u8, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { rule, message: message.into() })
}

fn ensure(holds: bool, rule: u8, message: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { fault(rule, message()) }
}

fn function<F: FnOnce() -> Summaries>(
    module: &Module,
    func: FuncRef,
    summaries: &LazyCell<Summaries, F>,
    errors: &mut Vec<VerifyError>,
) {
    let func = &module.funcs[func];
    let error = |fault: Fault, op: Option<String>| VerifyError {
        rule: fault.rule,
        func: func.name.clone(),
        op,
        message: fault.message,
    };
    // What is broken here makes everything else meaningless, printing included.
    if let Err(fault) = structure::tables(module, func) {
        errors.push(error(fault, None));
        return;
    }
    if func.level == Level::Array && func.slots > 0 {
        let message = "array IR has no slots".to_owned();
        errors.push(error(Fault { rule: 6, message }, None));
    }
    let mut faults = structure::order(func);
    let cx = Context { module, func };
    if let Err(fault) = cx.region_function() {
        faults.push((None, fault));
    }
    let mut parents = Vec::new();
    cx.block(func.entry, &mut parents, &mut faults);
    if faults.is_empty() {
        faults.extend(sharing::stale(func, summaries));
    }
    for (op, fault) in faults {
        let text = op.map(|op| print_op(module, func, op));
        errors.push(error(fault, text));
    }
}

/// Faults with the operations that they are in.
type Faults = Vec<(Option<Op>, Fault)>;

/// The function being checked; its tables are sound.
struct Context<'a> {
    module: &'a Module,
    func: &'a Function,
}

impl Context<'_> {
    /// Checks what needs no look at other blocks but those around.
    fn block(&self, block: crate::Block, parents: &mut Vec<Op>, faults: &mut Faults) {
        for (index, &op) in self.func.blocks[block].ops.iter().enumerate() {
            let checked = self
                .attributes_and_types(op)
                .and_then(|()| self.regions(op))
                .and_then(|()| self.jump(op, parents))
                .and_then(|()| self.unreachable(block, index));
            if let Err(fault) = checked {
                faults.push((Some(op), fault));
            }
            parents.push(op);
            for &region in &self.func.ops[op].regions {
                self.block(region, parents, faults);
            }
            parents.pop();
        }
    }
}
