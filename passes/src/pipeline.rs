//! The order of the passes, all of it, with the reason for each position that is not obvious.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use pydd_ir::Module;

use crate::array::{
    apart, at_extremes, canonicalize, check_races, count_bits, count_loops, cse, dce, elide_copies,
    find_reductions, fuse, fuse_masks, group_masks, inline, join_samples, keep_order, licm, mask_products,
    module_constants, narrow, pfor, privatize, read_only, rebind, sample, signs, split_reductions,
    take_ranges, transpose_last, unroll_arrays,
};
use crate::loops::{
    array_lists, auto_parallel, carried_last, carry_elements, carry_squares, check_once, coalesce, coherence,
    compare_squares, conditional_sums, contract, defer_checks, device_loops, device_stores, drop_checks,
    expect_lengths, flatten_nests, forward, fuse_loops, hoist_arrays, hoist_elements, if_convert,
    interchange, jam_columns, join_rows, join_updates, lanes, outline, pack_columns, peel, prove_bounds,
    reuse_memory, scalarize, scan_indices, short_axes, short_rows, single_block, sink_stores, size_parts,
    split_index, split_ranges, split_scans, split_sums, stored_elements, unroll, unroll_and_jam,
    unroll_scans, update_in_place, version_loops, wavefront, write_behind, zero_borders,
};
use crate::pass::{Finding, Need, Options, Pass, PassContext};
use crate::{drop_unused, lower, ownership, versions};

/// Every pass in the order in which it runs. A pass may stand here more than once.
pub const PIPELINE: &[&Pass] = &[
    // Before all that looks at a function's place in the source.
    &inline::LIBRARY,
    // Both find writes that are refused. Behind the library's functions, whose effects are then in place.
    &module_constants::PASS,
    // What it marks stands for nothing at run time. Library functions are written for all callers, so it comes behind.
    &read_only::PASS,
    // On array IR, once for each source function. After inlining nothing of the language's own structure is
    // left to look at, so it comes first.
    &inline::PASS,
    &canonicalize::PASS,
    // Constants are plain by now, and all that looks at loops sees what they carry.
    &narrow::PASS,
    // What then differs by nothing is shared.
    &signs::PASS,
    &cse::PASS,
    // Before the versions, so that a program is refused once. It looks at an inlined copy of its own: what is
    // accepted does not depend on the optimisation level.
    &pfor::PASS,
    // Before the versions, and where a loop is still a `pfor`, whatever was proved of it.
    &check_races::PASS,
    // Behind what accepts programs at all levels; before what knows ranges of loops.
    &count_loops::PASS,
    // Likewise, and so that what is around such loops is seen without them.
    &count_bits::PASS,
    // After inlining, so that both versions share its work. Before everything that asks what may overlap:
    // the answer differs between the fast and the general version.
    &versions::PASS,
    // While sparse operations are calls. For each version, since what is written between them may overlap.
    &mask_products::PASS,
    // While what gives a range of its result is a call.
    &take_ranges::PASS,
    // Before masks are fused with what is done by them. For each version, since what is written may overlap.
    &group_masks::PASS,
    // For each version, since masks may be what they select from.
    &fuse_masks::PASS,
    // While sparse operations are calls, and before loops lose what does not change in them.
    &sample::PASS,
    // What is left of such calls.
    &inline::KEPT,
    // Inlining and cloning leave functions behind that nothing calls.
    &drop_unused::PASS,
    // Behind what counts steps; fusion and what moves code see one block.
    &unroll_arrays::PASS,
    // For each version, since contiguous arguments rarely need it. Behind it elementwise results are row-major to all passes.
    &keep_order::PASS,
    // Whose order in memory nobody asks for any more.
    &transpose_last::PASS,
    // For each version, since they rely on what may not overlap; before fusion, which the arrays of parts take part in.
    &find_reductions::PASS,
    &privatize::PASS,
    // For each version, since what may overlap differs. Before what moves and fuses the readers of copies.
    &apart::PASS,
    // What it starts from is then written nowhere: a copy need not be.
    &rebind::PASS,
    &elide_copies::PASS,
    // On array IR, for each version. Invariant producers leave loops before fusion ties them to their users.
    &licm::PASS,
    // What does not change no longer stands between a matrix and its use.
    &join_samples::PASS,
    // Before anything is fused, and what is reduced twice is shared.
    &at_extremes::PASS,
    // The fast version shares more, and what is shared is fused otherwise than what is computed twice.
    &cse::PASS,
    &fuse::PASS,
    // Whole reductions, with what was fused into them.
    &split_reductions::PASS,
    // Fusion leaves checks of shapes behind that repeat each other.
    &canonicalize::PASS,
    &cse::PASS,
    &dce::PASS,
    &lower::PASS,
    // Lowering computes lengths for each operation, which are to be seen as what they are.
    &canonicalize::PASS,
    &cse::PASS,
    // Before all that looks at loops over arrays.
    &array_lists::PASS,
    &expect_lengths::PASS,
    // What has been decided is gone before anything is proved of it. Loops over one range are to be seen as such.
    &canonicalize::PASS,
    &cse::PASS,
    // Checks between loops that certainly hold would keep them apart.
    &prove_bounds::FAST,
    &canonicalize::PASS,
    // Lengths of slices are plain now.
    &array_lists::PASS,
    // Before what joins the loops that are left; without views that nobody uses any more.
    &dce::PASS,
    // Checks that do not hold certainly keep loops apart as well.
    &scan_indices::PASS,
    &forward::PASS,
    &fuse_loops::PASS,
    // What was made for a loop that goes over it in place.
    &stored_elements::PASS,
    // Views that nobody uses any more would keep temporaries as they are.
    &dce::PASS,
    &contract::PASS,
    &short_axes::PASS,
    // Of arrays that are left, before what asks who writes them last.
    &zero_borders::PASS,
    // Where all steps are one nest, and before loops are made of rows.
    &update_in_place::PASS,
    // Where what is made and what is copied are neighbours that no other pass joins.
    &write_behind::PASS,
    // Whose elements then have constant indices.
    &unroll::PASS,
    &scalarize::PASS,
    // Whose elements have constant indices as well.
    &carry_elements::PASS,
    // Once no loop has temporaries of its own, since it makes two of one.
    &join_rows::PASS,
    // Of arrays that are left, and before loops go over views of them.
    &reuse_memory::PASS,
    // Behind all that looks at rows.
    &coalesce::PASS,
    // Behind all that knows loops by their blocks.
    &single_block::PASS,
    // On loop IR, where costs can be told, and before loops are made more of.
    &size_parts::PASS,
    // Checks are operations here.
    &prove_bounds::PASS,
    // What is left is tested before loops.
    &version_loops::PASS,
    // What was tested bounds the slices of the copies.
    &prove_bounds::FAST,
    // Decided branches become straight code, and tests before loops share what they compute.
    &canonicalize::PASS,
    &cse::PASS,
    // Lowering makes lengths and strides that nothing asks for, and so do checks that are gone.
    &dce::PASS,
    // What checks are left is known by now; behind it no loop is longer by them.
    &check_once::PASS,
    // Steps of short loops that are written one after the other, where nothing stands between them any more.
    &join_updates::PASS,
    // Where constants are plain, before branches become selections.
    &compare_squares::PASS,
    // Likewise, and before loops become lanes.
    &carry_squares::PASS,
    // Without checks, and before branches become selections.
    &sink_stores::PASS,
    // Without checks, behind what makes one load of several.
    &if_convert::PASS,
    // Where branches are what they will be, before sums are split.
    &conditional_sums::PASS,
    // Without checks, and before anybody decides which loops are parallel.
    &interchange::PASS,
    // Before the loops that these hold are parallel.
    &split_scans::PASS,
    // Where loops are what they will be, and before what makes more of them of one.
    &auto_parallel::PASS,
    // After the checks that equal others have gone.
    &split_index::PASS,
    // Before sums are split, and behind what makes loops of loops.
    &carried_last::PASS,
    // Sees which checks are left.
    &split_sums::PASS,
    // After all that learns from checks.
    &drop_checks::PASS,
    // Likewise: behind a loop nobody learns from a check.
    &defer_checks::PASS,
    // Behind all that joins loops or gives them an order.
    &flatten_nests::PASS,
    // Where parallel loops are what they will be.
    &device_stores::PASS,
    // After all that learns from what is around a loop. Slots belong to functions.
    &outline::PASS,
    // Where loops are functions; what is dropped costs the passes behind nothing.
    &device_loops::PASS,
    // Of what the function of a parallel loop goes over as well, and before several iterations become one.
    &split_ranges::PASS,
    // Likewise.
    &peel::PASS,
    // Likewise, and of loops that selections made straight.
    &hoist_elements::PASS,
    // Behind what makes a recurrence wait for less. Before iterations become lanes: which of rows that need nothing of each other do.
    &wavefront::PASS,
    // Behind all that makes loops of others.
    &short_rows::PASS,
    // Of wider rows, and other loops in the order that they have now.
    &unroll_and_jam::PASS,
    // Behind what makes loops go along rows. Before iterations become lanes, of which none needs masks here.
    &jam_columns::PASS,
    // Behind what looks for recurrences.
    &unroll_scans::PASS,
    // Behind all that asks what an iteration costs, or learns from loops.
    &lanes::PASS,
    // Of loops that are left to LLVM's vectoriser.
    &pack_columns::PASS,
    // Behind what gives iterations to threads.
    &hoist_arrays::PASS,
    // Where all accesses of memory are what and where they will be.
    &coherence::PASS,
    // Last: it pins lifetimes, and every pass after it would have to keep slots right.
    &ownership::PASS,
];

/// The pass of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Pass> {
    PIPELINE.iter().copied().find(|pass| pass.name == name)
}

/// Is told of each pass that ran; the driver prints and times with it.
pub trait Observer {
    fn after(&mut self, _pass: &Pass, _module: &Module, _elapsed: Duration) {}
    fn remark(&mut self, _finding: Finding) {}
}

/// Observes nothing.
pub struct Quiet;

impl Observer for Quiet {}

/// Why the pipeline did not reach its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The program is wrong.
    Refused(Finding),
    /// We are wrong: the verifier objects to what this pass left.
    Broken { pass: &'static str, problem: String },
}

/// Runs all passes that the options ask for.
///
/// # Errors
/// Where a pass refuses the program, or leaves IR that the verifier objects to.
pub fn run_pipeline(
    module: &mut Module,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<(), Stopped> {
    let mut optional = 0;
    let rest_is_asked_for = |pass: &&&Pass| options.until.is_none_or(|level| pass.gives == level);
    for pass in PIPELINE.iter().take_while(rest_is_asked_for) {
        if wanted(pass, options, &mut optional) {
            run_one(pass, module, options, observer)?;
        }
    }
    Ok(())
}

/// Runs one pass alone.
///
/// # Errors
/// As [`run_pipeline`].
pub fn run_one(
    pass: &Pass,
    module: &mut Module,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<(), Stopped> {
    let before = options.verify.then(|| module.clone());
    let start = Instant::now();
    let remarks = RefCell::default();
    (pass.run)(module, &PassContext { options, remarks: Some(&remarks) }).map_err(Stopped::Refused)?;
    remarks.take().into_iter().for_each(|finding| observer.remark(finding));
    observer.after(pass, module, start.elapsed());
    if let Some(before) = before {
        verify(module, &before).map_err(|problem| Stopped::Broken { pass: pass.name, problem })?;
    }
    Ok(())
}

/// Whether a pass runs; `optional` counts those that could be left out, for `--opt-bisect`.
fn wanted(pass: &Pass, options: &Options, optional: &mut u32) -> bool {
    match pass.need {
        Need::Always => true,
        Need::From(level) if options.opt_level < level => false,
        Need::From(_) => {
            *optional += 1;
            let skipped = options.skip.iter().any(|name| name == pass.name);
            options.bisect.is_none_or(|limit| *optional <= limit) && !skipped
        }
    }
}

fn verify(module: &Module, before: &Module) -> Result<(), String> {
    pydd_ir::verify::verify_changed(module, before).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        lines.join("\n")
    })
}

#[cfg(test)]
mod tests;
