//! What is equal for all backends, which is all but the instructions.
//!
//! A backend takes a module whose functions are at `Level::Loop`. [`lower`] walks them and tells a builder,
//! which implements [`emit::Emit`], what to do; the other modules are what the walk needs to know: how
//! values become words, which memory a value may stand for, which floating-point sums may be
//! reordered, which functions take long, what a loop uses of its surroundings, the table
//! of error sites, and the bytes of the module's description.

pub mod captures;
pub mod conversions;
pub mod cpu;
pub mod device;
pub mod emit;
pub mod image;
pub mod layout;
pub mod lower;
pub mod math;
pub mod options;
pub mod polling;
pub mod recurrences;
pub mod requirements;
pub mod shrinking;
pub mod sites;
pub mod spec;
pub mod summary;
pub mod sums;
pub mod units;
pub mod words;

pub use image::{Image, Target};
pub use layout::Layout;
pub use options::{CodegenError, CodegenOptions, Remark, Variant};
pub use sites::SiteTable;
