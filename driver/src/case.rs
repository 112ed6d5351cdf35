//! Pass cases: IR text with directives in comments, checked alone.
//!
//! ```text
//! ; pass: licm
//! ; count: mul in loops = 0
//! ; run: @f([1.0, 2.0], 3) = 9.0
//! ; run: @f([], 3) raises IndexError
//! ; refuse: part of the refusal's message
//! ; remark: part of a remark's message
//! func @f array (...) { ... }
//! ; ---- after
//! the module as printed after the passes
//! ```
//!
//! `pass:` names one pass or several, comma-separated. `count:` speaks of the module after the passes: a mnemonic,
//! `in loops`, `in maps` or `anywhere` (the default), then `=`, `<=` or `>=` and a number. `run:` is done in the interpreter before the
//! passes and after. What follows the line `; ---- after` is rewritten by [`bless`]; the directives never are.

use pydd_interp::{Interp, Stop, literal};
use pydd_ir::{Block, Function, Module, Op, Type};
use pydd_passes::{Finding, Observer, OptLevel, Options, Stopped};

const AFTER: &str = "; ---- after";

/// Passes that do something with `--auto-parallel` alone.
const AUTO_PARALLEL: [&str; 3] = ["auto-parallel", "find-reductions", "split-reductions"];

/// A directive's demand on the number of operations.
struct Count {
    mnemonic: String,
    place: Place,
    relation: Relation,
    number: usize,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Anywhere,
    Loops,
    Maps,
}

#[derive(Clone, Copy)]
enum Relation {
    Equal,
    AtMost,
    AtLeast,
}

struct Run {
    func: String,
    args: String,
    expected: Expected,
    text: String,
}

enum Expected {
    Values(String),
    Raises(String),
}

/// A case file, taken apart.
pub struct Case {
    passes: Vec<String>,
    counts: Vec<Count>,
    runs: Vec<Run>,
    refusal: Option<String>,
    remark: Option<String>,
    /// The module's text.
    input: String,
    /// The golden, where the file has one.
    after: Option<String>,
}

impl Case {
    /// Reads a case file.
    ///
    /// # Errors
    /// The directive that can't be understood.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (input, after) = match text.split_once(&format!("{AFTER}\n")) {
            Some((input, after)) => (input, Some(after.to_owned())),
            None => (text, None),
        };
        let mut case = Self {
            passes: vec![],
            counts: vec![],
            runs: vec![],
            refusal: None,
            remark: None,
            input: input.to_owned(),
            after,
        };
        for line in input.lines() {
            let Some(directive) = line.trim().strip_prefix(';') else { continue };
            let Some((key, value)) = directive.trim().split_once(':') else { continue };
            case.directive(key.trim(), value.trim())?;
        }
        if case.passes.is_empty() {
            return Err("the case has no `; pass:` line".to_owned());
        }
        Ok(case)
    }

    fn directive(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "pass" => self.passes = value.split(',').map(|p| p.trim().to_owned()).collect(),
            "count" => self.counts.push(parse_count(value).ok_or(format!("bad count: {value:?}"))?),
            "run" => self.runs.push(parse_run(value).ok_or(format!("bad run: {value:?}"))?),
            "refuse" => self.refusal = Some(value.to_owned()),
            "remark" => self.remark = Some(value.to_owned()),
            // Any other comment with a colon is prose.
            _ => {}
        }
        Ok(())
    }

    /// Runs the case: all that does not hold, a line each.
    #[must_use]
    pub fn check(&self) -> Vec<String> {
        let mut module = match pydd_ir::text::parse(&self.input) {
            Ok(module) => module,
            Err(error) => return vec![format!("the input does not parse: {error}")],
        };
        if let Err(errors) = pydd_ir::verify::verify(&module) {
            return vec![format!("the input is not valid: {errors:?}")];
        }
        let mut wrong = self.check_runs(&module, "before the pass");
        match (run_passes(&mut module, &self.passes), &self.refusal) {
            (Ok(remarks), None) => wrong.extend(self.check_remarks(&remarks)),
            (Ok(_), Some(part)) => {
                wrong.push(format!("expected a refusal with {part:?}, the pass went through"));
                return wrong;
            }
            (Err(message), Some(part)) if message.contains(part.as_str()) => return wrong,
            (Err(message), _) => {
                wrong.push(format!("refused: {message}"));
                return wrong;
            }
        }
        wrong.extend(self.check_runs(&module, "after the pass"));
        wrong.extend(self.counts.iter().filter_map(|count| check_count(count, &module)));
        if let Some(golden) = &self.after {
            let printed = print(&module);
            if printed.trim() != golden.trim() {
                wrong.push(format!("the output differs from the golden; it is now:\n{printed}"));
            }
        }
        wrong
    }

    /// The remark that is asked for is made, and no other.
    fn check_remarks(&self, remarks: &[Finding]) -> Option<String> {
        let fits = |remark: &Finding| self.remark.as_ref().is_some_and(|part| remark.message.contains(part));
        if let Some(other) = remarks.iter().find(|remark| !fits(remark)) {
            return Some(format!("unexpected remark: {}", other.message));
        }
        let missing = self.remark.as_ref().filter(|_| remarks.is_empty())?;
        Some(format!("expected a remark with {missing:?}"))
    }

    fn check_runs(&self, module: &Module, when: &str) -> Vec<String> {
        let failed =
            |run: &Run| check_run(run, module).err().map(|e| format!("run: {} {when}: {e}", run.text));
        self.runs.iter().filter_map(failed).collect()
    }
}

/// The file with its golden rewritten; `None` where it has none or its passes fail.
#[must_use]
pub fn bless(text: &str) -> Option<String> {
    let case = Case::parse(text).ok()?;
    case.after.as_ref()?;
    let mut module = pydd_ir::text::parse(&case.input).ok()?;
    run_passes(&mut module, &case.passes).ok()?;
    Some(format!("{}{AFTER}\n{}", case.input, print(&module)))
}

fn print(module: &Module) -> String {
    let options = pydd_ir::text::PrintOptions { locs: false, ..Default::default() };
    pydd_ir::text::print(module, &options)
}

#[derive(Default)]
struct Remarks(Vec<Finding>);

impl Observer for Remarks {
    fn remark(&mut self, finding: Finding) {
        self.0.push(finding);
    }
}

/// Runs passes by name, each followed by the verifier; gives their remarks.
///
/// # Errors
/// An unknown name, or the message of a refusal.
pub fn run_passes(module: &mut Module, names: &[String]) -> Result<Vec<Finding>, String> {
    let mut remarks = Remarks::default();
    for name in names {
        let pass = pydd_passes::find(name).ok_or_else(|| format!("there is no pass `{name}`"))?;
        // Who names the pass wants what it does.
        let check_races = name == pydd_passes::array::check_races::PASS.name;
        let auto_parallel = AUTO_PARALLEL.contains(&name.as_str());
        let options = Options {
            verify: true,
            opt_level: OptLevel::O3,
            check_races,
            auto_parallel,
            vector_bits: 512,
            ..Options::default()
        };
        pydd_passes::run_one(pass, module, &options, &mut remarks).map_err(|stopped| match stopped {
            Stopped::Refused(refusal) => refusal.message,
            Stopped::Broken { pass, problem } => format!("the verifier objects after {pass}: {problem}"),
        })?;
    }
    Ok(remarks.0)
}

fn parse_count(text: &str) -> Option<Count> {
    let (relation, at) = [("<=", Relation::AtMost), (">=", Relation::AtLeast), ("=", Relation::Equal)]
        .into_iter()
        .find_map(|(sign, relation)| text.split_once(sign).map(|parts| (relation, parts)))?;
    let (what, number) = at;
    let (mnemonic, place) = match what.trim().split_once(" in ") {
        Some((mnemonic, "loops")) => (mnemonic, Place::Loops),
        Some((mnemonic, "maps")) => (mnemonic, Place::Maps),
        Some((mnemonic, "anywhere")) => (mnemonic, Place::Anywhere),
        Some(_) => return None,
        None => (what.trim(), Place::Anywhere),
    };
    Some(Count {
        mnemonic: mnemonic.trim().to_owned(),
        place,
        relation,
        number: number.trim().parse().ok()?,
        text: text.to_owned(),
    })
}

fn count_in(f: &Function, block: Block, count: &Count, inside: bool) -> usize {
    let one = |op: Op| {
        let data = &f.ops[op];
        let here = inside || count.place == Place::Anywhere;
        let enters = match count.place {
            Place::Loops => data.kind.is_loop(),
            Place::Maps => matches!(data.kind, pydd_ir::OpKind::Map(_)),
            Place::Anywhere => false,
        };
        let nested: usize =
            data.regions.iter().map(|&region| count_in(f, region, count, inside || enters)).sum();
        nested + usize::from(here && data.kind.mnemonic() == count.mnemonic)
    };
    f.blocks[block].ops.iter().map(|&op| one(op)).sum()
}

fn check_count(count: &Count, module: &Module) -> Option<String> {
    let found: usize = module.funcs.values().map(|f| count_in(f, f.entry, count, false)).sum();
    let holds = match count.relation {
        Relation::Equal => found == count.number,
        Relation::AtMost => found <= count.number,
        Relation::AtLeast => found >= count.number,
    };
    (!holds).then(|| format!("count: {}: found {found}", count.text))
}

fn parse_run(text: &str) -> Option<Run> {
    let rest = text.strip_prefix('@')?;
    let (func, rest) = rest.split_once('(')?;
    let (args, rest) = rest.rsplit_once(')')?;
    let rest = rest.trim();
    let expected = match rest.strip_prefix("raises ") {
        Some(exception) => Expected::Raises(exception.trim().to_owned()),
        None => Expected::Values(rest.strip_prefix('=')?.trim().to_owned()),
    };
    Some(Run { func: func.to_owned(), args: args.to_owned(), expected, text: text.to_owned() })
}

fn check_run(run: &Run, module: &Module) -> Result<(), String> {
    let func = module.find(&run.func).ok_or_else(|| format!("there is no function @{}", run.func))?;
    let f = &module.funcs[func];
    let types: Vec<Type> = f.params().iter().map(|&p| f.ty(p)).collect();
    let args = literal::parse_list(&run.args, &types)?;
    let outcome = Interp::new(module).call(func, args);
    match (&run.expected, outcome) {
        (Expected::Values(expected), Ok(values)) => {
            let expected = literal::parse_list(expected, &f.results)?;
            let show =
                |values: &[pydd_interp::Val]| values.iter().map(literal::show).collect::<Vec<_>>().join(", ");
            let (got, expected) = (show(&values), show(&expected));
            if got == expected { Ok(()) } else { Err(format!("gave {got}, expected {expected}")) }
        }
        (Expected::Raises(expected), Err(Stop::Raise(raised)))
            if module.exception_name(raised.exc) == expected =>
        {
            Ok(())
        }
        (Expected::Values(_) | Expected::Raises(_), outcome) => Err(format!("ended with {outcome:?}")),
    }
}
