//! What a pass is: a record from which flags, timing rows and documentation come.

use pydd_ir::{Function, Level, Loc, Module, threads};
use std::cell::RefCell;

use crate::report::picture::Picture;

/// How much work goes into the code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum OptLevel {
    /// Instant feedback: only what must run.
    O0,
    O1,
    #[default]
    O2,
    O3,
}

/// What the user asked for, as far as passes care.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub opt_level: OptLevel,
    /// Leave out bounds checks of element accesses.
    pub unchecked: bool,
    /// Make parallel loops run in order and raise where iterations race.
    pub check_races: bool,
    /// Source order of floating-point operations.
    pub strict_fp: bool,
    pub fast_math: bool,
    /// Make loops parallel whose iterations may run in any order.
    pub auto_parallel: bool,
    /// Make versions for machines with a device.
    pub device: bool,
    /// Width of the vectors that the backend makes of scalar operations side by side; 0 where it makes none.
    pub vector_bits: u32,
    /// Run the verifier after every pass.
    pub verify: bool,
    /// Run only so many of the passes that may be left out (`--opt-bisect=N`).
    pub bisect: Option<u32>,
    /// Passes to leave out, of those that may be.
    pub skip: Vec<String>,
    /// Say also what is right as it is, such as which checks stay in loops.
    pub report: bool,
    /// Stop before the first pass that gives another level than this.
    pub until: Option<pydd_ir::Level>,
}

impl Options {
    /// Whether loops of a function are made parallel that the source does not call so. On a device nothing else is fast.
    #[must_use]
    pub const fn makes_parallel(&self, func: &Function) -> bool {
        self.auto_parallel || func.device
    }
}

/// What a pass is given besides the module.
#[derive(Clone, Copy, Debug)]
pub struct PassContext<'a> {
    pub options: &'a Options,
    /// Takes what passes remark; None where nobody listens.
    pub remarks: Option<&'a RefCell<Vec<Finding>>>,
}

impl<'a> PassContext<'a> {
    /// For a pass whose remarks nobody wants.
    #[must_use]
    pub const fn quiet(options: &'a Options) -> Self {
        Self { options, remarks: None }
    }

    /// Says what was done in another way than the program asks for.
    pub fn remark(&self, finding: Finding) {
        if let Some(remarks) = self.remarks {
            remarks.borrow_mut().push(finding);
        }
    }

    /// Whether anybody asks how things were done.
    #[must_use]
    pub const fn reports(&self) -> bool {
        self.options.report && self.remarks.is_some()
    }

    /// Says, to those who ask, how something was done; each thing once.
    pub fn report(&self, finding: impl FnOnce() -> Finding) {
        let Some(remarks) = self.remarks.filter(|_| self.options.report) else { return };
        let finding = finding();
        // Inlined copies and versions of a loop stand in one place.
        let known = remarks.borrow().contains(&finding);
        if !known && finding.loc.line != 0 {
            remarks.borrow_mut().push(finding);
        }
    }
}

/// Whether a pass may be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// Later stages rely on it.
    Always,
    /// An optimisation, from this level on.
    From(OptLevel),
}

/// One pass.
#[derive(Clone, Copy)]
pub struct Pass {
    /// As in `--print-after=NAME` and `pyddc opt --pass NAME`.
    pub name: &'static str,
    /// One line for `--help` and the documentation.
    pub summary: &'static str,
    /// The level of the functions it is for, and what it makes of them.
    pub takes: Level,
    pub gives: Level,
    pub need: Need,
    pub run: fn(&mut Module, &PassContext<'_>) -> Result<(), Finding>,
}

/// Operations of a module from which on it is worth starting threads.
const MANY: usize = 500;

/// `work` of each wanted function, side by side; results in the module's order.
pub fn map_functions<R: Send>(
    module: &mut Module,
    wanted: impl Fn(&Function) -> bool,
    work: impl Fn(&mut Function) -> R + Sync,
) -> Vec<R> {
    let funcs: Vec<&mut Function> = module.funcs.values_mut().filter(|func| wanted(func)).collect();
    if funcs.iter().map(|func| func.ops.len()).sum::<usize>() < MANY {
        return funcs.into_iter().map(work).collect();
    }
    threads::map(funcs, |func| func.ops.len(), work)
}

/// What a pass says about a program, as the data of a diagnostic: an error that refuses the program, or a remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Code of the diagnostic's page, such as `pfor-carried`.
    pub code: &'static str,
    pub loc: Loc,
    /// The headline, without code.
    pub message: String,
    /// Further places; the first is the primary one where it has `loc`.
    pub labels: Vec<(Loc, String)>,
    /// Facts that need no place.
    pub notes: Vec<String>,
    pub help: Option<String>,
    /// What it is called beside its line, where its code alone does not say enough.
    pub badge: Option<String>,
    /// What is best shown as a graph.
    pub picture: Option<Picture>,
}

impl Finding {
    #[must_use]
    pub fn new(code: &'static str, loc: Loc, message: impl Into<String>) -> Self {
        Self {
            code,
            loc,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            badge: None,
            picture: None,
        }
    }

    #[must_use]
    pub fn label(mut self, loc: Loc, text: impl Into<String>) -> Self {
        self.labels.push((loc, text.into()));
        self
    }

    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
