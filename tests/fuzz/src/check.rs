//! What must hold for any source: the frontend and the passes end soon, without a panic, with IR that the
//! verifier accepts or with diagnostics that point into the file, and in the same way every time.

use pydd_frontend::diagnostics::{Diagnostic, code, json, render};
use pydd_frontend::source::{SourceFile, Span};
use pydd_frontend::stack::on_big_stack;
use pydd_ir::{Level, Loc, Module};
use pydd_passes::{OptLevel, Options, Quiet, Stopped};
use pydd_test_support::clock::processor_time;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

/// More than any source of the fuzzer's size may take of the processor's time.
const LIMIT: Duration = Duration::from_secs(5);

/// Diagnostics of a source that are rendered; they differ little after so many.
const RENDERED: usize = 20;

/// Something that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What kind, and where in the compiler: a smaller source that shows the same has the same signature.
    pub signature: String,
    pub details: String,
}

impl Finding {
    fn new(signature: impl Into<String>, details: impl Into<String>) -> Self {
        Self { signature: signature.into(), details: details.into() }
    }
}

/// What a source led to: traits by which the fuzzer sees that a mutation reached something new.
pub type Traits = BTreeSet<String>;

/// The trait of sources that compile.
pub const COMPILES: &str = "compiles";

static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps the place of a panic instead of printing it.
pub fn install_hook() {
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = info.to_string();
        }
    }));
}

fn last_panic() -> String {
    LAST_PANIC.lock().map(|last| last.clone()).unwrap_or_default()
}

/// Tries a source.
///
/// # Errors
/// What does not hold.
pub fn check(bytes: &[u8], options: &Options) -> Result<Traits, Finding> {
    let started = processor_time();
    // Nothing of a run that panicked is used again.
    let run = std::panic::AssertUnwindSafe(|| on_big_stack(|| run(bytes, options)));
    let done = std::panic::catch_unwind(run).unwrap_or_else(|_| {
        let message = last_panic();
        // The place and not the values in the message.
        let place = message.lines().next().unwrap_or_default().trim_start_matches("panicked at ");
        Err(Finding::new(format!("panic at {}", place.trim_end_matches(':')), message))
    });
    let taken = processor_time() - started;
    if taken > LIMIT {
        return Err(Finding::new("slow", format!("{taken:?}")));
    }
    done
}

fn run(bytes: &[u8], options: &Options) -> Result<Traits, Finding> {
    let source = SourceFile::from_bytes("fuzz.pydd", bytes);
    let first = front(&source)?;
    let mut traits = Traits::new();
    for diagnostic in &first.diagnostics {
        traits.insert(format!("{} {}", diagnostic.code, without_names(&diagnostic.headline)));
    }
    // What depends on anything but the source shows sooner or later.
    if bytes.len().is_multiple_of(4) {
        let again = front(&source)?;
        if (&first.diagnostics, &first.text) != (&again.diagnostics, &again.text) {
            return Err(Finding::new("not deterministic", "two runs of the frontend differ"));
        }
    }
    if let Some(module) = first.module {
        back(&source, module, options, &mut traits)?;
    }
    Ok(traits)
}

/// The headline's words: names and types in it vary without meaning anything new.
fn without_names(headline: &str) -> String {
    let words = headline.split('`').step_by(2).flat_map(str::split_whitespace);
    words.filter(|word| word.chars().all(|c| c.is_ascii_lowercase())).collect::<Vec<_>>().join(" ")
}

struct Front {
    diagnostics: Vec<Diagnostic>,
    module: Option<Module>,
    /// The module's text.
    text: String,
}

fn front(source: &SourceFile) -> Result<Front, Finding> {
    let mut outcome = pydd_frontend::compile(source, "fuzz");
    let diagnostics = outcome.diagnostics.sorted();
    for diagnostic in &diagnostics {
        spans(source, diagnostic)?;
    }
    for diagnostic in diagnostics.iter().take(RENDERED) {
        rendering(source, diagnostic)?;
    }
    let dump = outcome.typed_dump();
    if let Some(bug) = outcome.bug.take() {
        return Err(Finding::new("wrong in silence", format!("{bug}\n{dump}")));
    }
    let module = outcome.module.take();
    if module.is_none() != outcome.diagnostics.has_errors() {
        let what = if module.is_some() { "a module in spite of errors" } else { "no module and no error" };
        return Err(Finding::new(what, dump));
    }
    let Some(module) = module else { return Ok(Front { diagnostics, module: None, text: String::new() }) };
    if let Err(errors) = pydd_ir::verify::verify(&module) {
        let details: Vec<String> = errors.iter().map(ToString::to_string).collect();
        return Err(Finding::new("verifier after the frontend", details.join("\n")));
    }
    let text = print(&module);
    round_trip("after the frontend", &text)?;
    Ok(Front { diagnostics, module: Some(module), text })
}

fn spans(source: &SourceFile, diagnostic: &Diagnostic) -> Result<(), Finding> {
    let text = source.text();
    let inside = |span: Span| {
        let boundary = |offset: u32| offset as usize >= text.len() || text.is_char_boundary(offset as usize);
        // An error at the end of the file points just behind it.
        span.start <= span.end
            && span.end as usize <= text.len() + 1
            && boundary(span.start)
            && boundary(span.end)
    };
    let mut labels = diagnostic.primary.iter().chain(&diagnostic.secondary);
    // The offset of a wrong byte is that of the file, and its text is another.
    if source.invalid_utf8().is_none() && labels.any(|label| !inside(label.span)) {
        return Err(Finding::new(
            format!("span outside the file: {}", diagnostic.code),
            format!("{diagnostic:?}"),
        ));
    }
    if diagnostic.headline.is_empty() || diagnostic.headline.contains('\n') {
        return Err(Finding::new(format!("headline: {}", diagnostic.code), format!("{diagnostic:?}")));
    }
    Ok(())
}

fn rendering(source: &SourceFile, diagnostic: &Diagnostic) -> Result<(), Finding> {
    let (human, line) = (render::plain(source, diagnostic), json::line(source, diagnostic));
    if human.contains(diagnostic.code.name()) && !line.contains('\n') {
        return Ok(());
    }
    Err(Finding::new(format!("rendering: {}", diagnostic.code), human))
}

fn round_trip(when: &str, text: &str) -> Result<(), Finding> {
    let what = match pydd_ir::text::parse(text) {
        Ok(module) if print(&module) == text => return Ok(()),
        Ok(_) => "the text of the text differs".to_owned(),
        Err(error) => {
            let line = text.lines().nth(error.line.saturating_sub(1) as usize).unwrap_or_default();
            format!("{error}\n{line}")
        }
    };
    Err(Finding::new(format!("round trip {when}"), what))
}

fn back(
    source: &SourceFile,
    mut module: Module,
    options: &Options,
    traits: &mut Traits,
) -> Result<(), Finding> {
    match pydd_passes::run_pipeline(&mut module, options, &mut Quiet) {
        Ok(()) => {}
        Err(Stopped::Broken { pass, problem }) => {
            return Err(Finding::new(format!("verifier after {pass}"), problem));
        }
        Err(Stopped::Refused(refusal)) => {
            traits.insert(format!("refused: {}", refusal.code));
            let known = code::all().any(|code| code.name() == refusal.code);
            let places = std::iter::once(refusal.loc).chain(refusal.labels.iter().map(|(loc, _)| *loc));
            let inside = |loc: Loc| (1..=source.line_count()).contains(&loc.line);
            if known && places.clone().all(inside) {
                return Ok(());
            }
            return Err(Finding::new(format!("refusal: {}", refusal.code), format!("{refusal:?}")));
        }
    }
    if let Some(left) = module.funcs.values().find(|f| f.level != Level::Loop) {
        return Err(Finding::new("not lowered", left.name.clone()));
    }
    traits.insert(COMPILES.to_owned());
    let text = print(&module);
    traits.extend(text.lines().filter(|line| line.len() < 200).map(shape));
    round_trip("after the passes", &text)
}

/// A line of IR without its numbers.
fn shape(line: &str) -> String {
    line.trim().chars().filter(|c| !c.is_ascii_digit()).collect()
}

fn print(module: &Module) -> String {
    pydd_ir::text::print(module, &pydd_ir::text::PrintOptions::default())
}

/// Options for one run of the passes, by number.
#[must_use]
pub fn options(number: usize) -> Options {
    let opt_level = match number % 8 {
        0 => OptLevel::O0,
        1 => OptLevel::O1,
        _ => OptLevel::O3,
    };
    Options {
        report: true,
        check_races: number % 16 == 11,
        opt_level,
        unchecked: number % 16 == 3,
        strict_fp: number % 16 == 5,
        vector_bits: [0, 128, 256, 512][number / 2 % 4],
        auto_parallel: number % 2 == 1,
        device: number % 16 == 13,
        fast_math: number % 16 == 7,
        verify: true,
        bisect: (number % 16 == 9).then_some(4),
        skip: Vec::new(),
        until: None,
    }
}
