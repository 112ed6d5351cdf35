//! Runs several rows of a recurrence side by side, each some columns behind the row above it.
//!
//! ```text
//! for %i in %lo, %hi {                                 for %i in %lo, %hi, 4 {
//!     for %j in %from, %to {                               … the first columns of each row …
//!         %a = load_raw %d, %i - 1, %j           ⇒         for %t in %from + 7, %to {
//!         %b = load_raw %d, %i, %j - 1                         row %i at %t, row %i + 1 at %t - 2,
//!         store_raw %d, f(%a, %b), %i, %j                      row %i + 2 at %t - 4, row %i + 3 at %t - 6
//!     }                                                    }
//! }                                                        … the last columns of each row …
//!                                                      }
//! ```
//!
//! An alignment, a warping path, a sweep of Gauss and Seidel, a filter along rows: each element waits for the one before it, so a row takes as
//! long as its operations one behind the other. Rows that are skewed wait for nothing of each other in one step, and the processor runs
//! them at the same time (loop skewing with unroll-and-jam: Wolfe, "Loop skewing: the wavefront method revisited", 1986). The skew is the
//! least for which every element that an earlier row writes, or must still find as it was, lies in an earlier step
//! ([`depend`]). Each element is computed from the same numbers by the same operations, so this is done with `--strict-fp` as well.
//!
//! What a row's iteration stores and its next one loads is carried in a register ([`stored`]), and so is what the row below loads some steps
//! later: a load of what was stored just before takes as long as an addition, and of two neighbours at once several times as long.
//!
//! Rows may be done before the columns and after them (a border, a result of the row), and arrays may change their roles from row to row. It leaves
//! nests alone whose columns wait for nothing, whose rows hand on a number that the columns made, and all with checks.

mod depend;
mod nest;
mod rows;
mod stored;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::Uses;
use pydd_ir::{Function, Level, Module, Op};

use self::nest::Nest;
use super::fast_functions;
use crate::analysis::recurrences::waiting;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "wavefront",
    summary: "run rows of recurrences side by side",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O3),
    run,
};

/// Rows that run side by side.
const ROWS: i64 = 4;
/// How many quarters of its work a column waits, at least.
const GAIN: i64 = 5;
/// Nests of a function that are changed, at most.
const NESTS: usize = 4;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    // A device has a thread for each iteration of a loop that it runs.
    for func in fast_functions(module).filter(|func| !func.device) {
        let outer: Vec<Op> =
            func.hot_ops().into_iter().filter(|&op| nest::is_candidate(func, op)).take(NESTS).collect();
        for op in outer {
            let mut trial = func.clone();
            if let Some(columns) = side_by_side(&mut trial, &summaries, op) {
                report::rows_side_by_side(cx, func, op, columns, ROWS);
                *func = trial;
            }
        }
    }
    Ok(())
}

/// Makes rows of a nest run side by side, and gives the loop over columns.
fn side_by_side(func: &mut Function, summaries: &Summaries, outer: Op) -> Option<Op> {
    let columns = nest::columns(func, outer)?;
    nest::take_numbers_out(func, outer);
    stored::carry(func, &MemoryInfo::new(func, summaries), columns);
    let (chain, work) = waiting(func, columns);
    (4 * chain >= GAIN * work).then_some(())?;
    let memory = MemoryInfo::new(func, summaries);
    let nest = Nest::of(func, &memory, &Uses::new(func), outer, columns)?;
    let plan = depend::plan(func, &memory, &nest)?;
    rows::write(func, &nest, &plan);
    Some(columns)
}
