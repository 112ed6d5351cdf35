//! Passes on array IR, one file for each.

pub mod apart;
pub mod at_extremes;
pub mod canonicalize;
pub mod check_races;
pub mod count_bits;
pub mod count_loops;
pub mod cse;
pub mod dce;
pub mod elide_copies;
pub mod find_reductions;
pub mod fuse;
pub mod fuse_masks;
pub mod group_masks;
mod head;
pub mod inline;
pub mod join_samples;
pub mod keep_order;
pub mod licm;
pub mod mask_products;
pub mod module_constants;
pub mod narrow;
mod parts;
pub mod pfor;
pub mod privatize;
pub mod read_only;
pub mod rebind;
pub mod sample;
pub mod signs;
pub mod split_reductions;
pub mod take_ranges;
pub mod transpose_last;
pub mod unroll_arrays;

use pydd_ir::alias::Summaries;
use pydd_ir::{FuncRef, Function, Module};

/// Runs `change` on each function of the module, with what is known of their callees.
fn each_function(module: &mut Module, mut change: impl FnMut(&mut Function, &Summaries)) {
    let summaries = Summaries::of_callees(module);
    let funcs: Vec<FuncRef> = module.funcs.keys().collect();
    for f in funcs {
        change(&mut module.funcs[f], &summaries);
    }
}
