//! What a call of an exported function may run: a list of entries, of which the first one is called whose guards all hold.
//!
//! A guard is a fact about a call that a function relies on. Most speak of the arguments, and the runtime tests them while it
//! converts these. One about the machine holds for all calls or for none, so the runtime decides it once, when it loads the module.

use crate::entity::FuncRef;
use crate::func::{Export, ExportParam, ExportType};

/// A fact about a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Guard {
    /// Arrays are row-major without gaps, and their elements are aligned; those of parameters that say so are column-major, and come with their axes reversed.
    Contiguous,
    /// What is written is no other argument and shares no memory with one.
    Apart,
    /// There is a device that the module's kernels run on. A function is faster then; it relies on nothing.
    Device,
}

impl Guard {
    pub const ALL: [Self; 3] = [Self::Contiguous, Self::Apart, Self::Device];

    /// Its word in the text form.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Contiguous => "contiguous",
            Self::Apart => "apart",
            Self::Device => "device",
        }
    }
}

/// A function, and when a call of the export may run it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub func: FuncRef,
    /// All of these hold where it is called. The last entry has none.
    pub guards: Vec<Guard>,
}

impl Entry {
    /// For all calls that get to it.
    #[must_use]
    pub const fn any(func: FuncRef) -> Self {
        Self { func, guards: Vec::new() }
    }
}

impl Export {
    /// The functions of its entries, in order.
    pub fn funcs(&self) -> impl Iterator<Item = FuncRef> + '_ {
        self.entries.iter().map(|entry| entry.func)
    }

    /// The function that a call runs, of which `holds` says what is so.
    #[must_use]
    pub fn choose(&self, holds: impl Fn(Guard) -> bool) -> Option<FuncRef> {
        let entry = self.entries.iter().find(|entry| entry.guards.iter().all(|&guard| holds(guard)));
        entry.map(|entry| entry.func)
    }

    /// Which of the values that an entry's function takes are arrays whose axes are reversed, so that they are row-major.
    #[must_use]
    pub fn reversed(&self, func: FuncRef) -> Vec<usize> {
        let of_func = |entry: &Entry| entry.func == func && entry.guards.contains(&Guard::Contiguous);
        let (mut types, mut reversed) = (Vec::new(), Vec::new());
        if self.entries.iter().any(of_func) {
            for param in &self.params {
                if param.column_major {
                    reversed.push(types.len());
                }
                param.ty.flatten(&mut types);
            }
        }
        reversed
    }

    /// The guards on arguments that hold for some calls only.
    #[must_use]
    pub fn open_guards(&self) -> Vec<Guard> {
        let is_open = |&guard: &Guard| match guard {
            // Parts of sparse matrices never have gaps.
            Guard::Contiguous => self.params.iter().any(|param| has_dense_array(&param.ty)),
            Guard::Apart => may_meet(&self.params, arrays) || may_meet(&self.params, lists),
            Guard::Device => false,
        };
        Guard::ALL.into_iter().filter(is_open).collect()
    }
}

/// Whether two of what `count` counts may be one, of which something is written.
fn may_meet(params: &[ExportParam], count: fn(&ExportType) -> usize) -> bool {
    let written = |param: &ExportParam| param.written && count(&param.ty) > 0;
    params.iter().map(|param| count(&param.ty)).sum::<usize>() > 1 && params.iter().any(written)
}

/// The arrays that a parameter is passed as.
fn arrays(ty: &ExportType) -> usize {
    let mut types = Vec::new();
    ty.flatten(&mut types);
    types.into_iter().filter(|ty| ty.is_array()).count()
}

/// The caller's lists and dicts that a parameter is.
const fn lists(ty: &ExportType) -> usize {
    match ty {
        ExportType::List(_) | ExportType::Tuples(_) | ExportType::Lists(_) | ExportType::Dict { .. } => 1,
        _ => 0,
    }
}

fn has_dense_array(ty: &ExportType) -> bool {
    match ty {
        ExportType::Array { .. } => true,
        ExportType::Tuple(items) => items.iter().any(has_dense_array),
        _ => false,
    }
}
