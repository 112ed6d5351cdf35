//! Compiles files: reads, runs the stages, writes, and says what happened.

use crate::host;
use crate::host::library::Kind;
use crate::options::{Host, MessageFormat, Options, Report, Stage};
use crate::place::Place;
use crate::progress::{self, Progress};
use crate::{backend, bug, depfile, digest, opt, pir, report, say, settings, stub};
use pydd_codegen::{CodegenError, Variant};
use pydd_frontend::diagnostics::Diagnostics;
use pydd_frontend::source::SourceFile;
use pydd_frontend::syntax;
use pydd_ir::{Level, Module};
use pydd_passes::report::KEPT;
use pydd_passes::report::allocations::{self, Allocations};
use pydd_passes::{Finding, Observer, OptLevel, Pass, Stopped, versions};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How compiling one file ended.
#[derive(Debug)]
pub enum Outcome {
    /// The module's path, where one was made.
    Done(Option<PathBuf>),
    /// The program is wrong; the diagnostics have been written.
    Rejected,
    /// A file can't be read or written, or an option does not fit.
    Usage(String),
    /// A compiler bug; it has been reported.
    Bug,
}

/// Compiles each file; the exit code says how it went, the worst of all.
#[must_use]
pub fn run(files: &[PathBuf], options: &Options) -> ExitCode {
    if let Err(message) = check_usage(files, options) {
        say!("pyddc: {message}");
        return ExitCode::from(2);
    }
    exit_code(files.iter().map(|file| compile_file(file, options)))
}

/// The exit code of the worst of all; says what is wrong with the usage.
pub fn exit_code(outcomes: impl Iterator<Item = Outcome>) -> ExitCode {
    let codes = outcomes.map(|outcome| match outcome {
        Outcome::Done(_) => 0,
        Outcome::Rejected => 1,
        Outcome::Usage(message) => {
            say!("pyddc: {message}");
            2
        }
        Outcome::Bug => bug::EXIT_CODE,
    });
    ExitCode::from(codes.max().unwrap_or(0))
}

/// What a file holds.
///
/// # Errors
/// It can't be read: in a user's words.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// What is wrong before any file is read.
///
/// # Errors
/// In a user's words.
pub fn check_usage(files: &[PathBuf], options: &Options) -> Result<(), String> {
    if files.is_empty() {
        return Err("no input file".to_owned());
    }
    if files.len() > 1 && options.output.as_deref().is_some_and(|o| !o.is_dir()) {
        return Err("--output must be a folder when there are several files".to_owned());
    }
    if files.len() > 1 && matches!(options.report, Some(Report::Page(_))) {
        return Err("--report=FILE is about one source file; compile the others apart".to_owned());
    }
    if files.len() > 1 && options.depfile.is_some() {
        return Err("--depfile is about one source file; compile the others apart".to_owned());
    }
    if let Some(message) =
        options.print_after.iter().chain(&options.skip_pass).find_map(|name| opt::unknown_pass(name))
    {
        return Err(message);
    }
    if let Some(needed) = options.skip_pass.iter().find(|name| opt::is_needed(name)) {
        return Err(format!("the pass `{needed}` is always needed"));
    }
    check_processors(options)?;
    let mut targets: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    for file in files {
        // What else is wrong with a file is told when its turn comes.
        let Ok(Place { target, .. }) = Place::of(file, options) else { continue };
        if target.is_none() && options.depfile.is_some() {
            return Err("--depfile names the file that is written: say -o FILE".to_owned());
        }
        let Some(target) = target else { continue };
        if let Some(other) = targets.insert(target.clone(), file) {
            let (a, b) = (other.display(), file.display());
            return Err(format!("{a} and {b} would both be written to {}", target.display()));
        }
    }
    let page = match &options.report {
        Some(Report::Page(page)) => Some(page),
        _ => None,
    };
    match targets
        .keys()
        .chain(page)
        .chain(&options.depfile)
        .find(|target| files.iter().any(|file| is_same(file, target)))
    {
        Some(target) => Err(format!("{} is a source file: it would be written over", target.display())),
        None => Ok(()),
    }
}

/// What is printed or written in place of a module is for one processor.
fn check_processors(options: &Options) -> Result<(), String> {
    let is_one_piece =
        [Stage::IrOpt, Stage::Loops, Stage::Llvm, Stage::Clif, Stage::Asm, Stage::Ptx, Stage::Obj];
    if is_one_piece.contains(&options.emit) && options.cpu.are_several() {
        return Err(format!("this --emit is for one processor, and --cpu names {}", options.cpu.0.len()));
    }
    if options.host.is_some_and(|host| host.kind == Kind::Static) && options.cpu.are_several() {
        return Err(format!(
            "a static library is for one processor, and --cpu names {}",
            options.cpu.0.len()
        ));
    }
    Ok(())
}

/// Whether two paths lead to one file that is there, by whatever links.
fn is_same(a: &Path, b: &Path) -> bool {
    // Terminals and other devices are read and written at once.
    let place = |path: &Path| {
        path.metadata().ok().filter(|found| found.is_file()).map(|file| (file.dev(), file.ino()))
    };
    place(a).is_some_and(|a| place(b) == Some(a))
}

/// Compiles one file.
#[must_use]
pub fn compile_file(path: &Path, options: &Options) -> Outcome {
    let bytes = match read(path) {
        Ok(bytes) => bytes,
        Err(message) => return Outcome::Usage(message),
    };
    let with_settings = settings::apply(options, path, &bytes);
    let options = &match with_settings.and_then(|options| check_processors(&options).map(|()| options)) {
        Ok(options) => options,
        Err(message) => return Outcome::Usage(message),
    };
    let place = match Place::of(path, options) {
        Ok(place) => place,
        Err(message) => return Outcome::Usage(message),
    };
    let source_sha256 = digest::of_source(&bytes);
    let session = Session { path, options, place, source_sha256, started: Instant::now() };
    let shows = options.message_format == MessageFormat::Human && !options.verbose && !options.time_passes;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let _progress = shows.then(|| Progress::begin(&name)).flatten();
    match bug::guard(path, &bytes, || session.compile(&bytes)) {
        Some(Ok(Outcome::Done(Some(made)))) => session.done(made),
        Some(Ok(outcome)) => outcome,
        Some(Err(Fault { stage, what })) => {
            bug::report(path, &bytes, &stage, &what);
            Outcome::Bug
        }
        None => Outcome::Bug,
    }
}

/// A failure that is ours.
struct Fault {
    /// `after pass 'licm'`, `in the backend`.
    stage: String,
    what: String,
}

impl Fault {
    fn new(stage: impl Into<String>, what: impl std::fmt::Display) -> Self {
        Self { stage: stage.into(), what: what.to_string() }
    }
}

struct Session<'a> {
    path: &'a Path,
    options: &'a Options,
    place: Place,
    source_sha256: String,
    started: Instant,
}

impl Session<'_> {
    fn compile(&self, bytes: &[u8]) -> Result<Outcome, Fault> {
        if pir::is_pir(self.path) {
            return self.ir_text(bytes);
        }
        let source = SourceFile::from_bytes(self.path.to_string_lossy(), bytes);
        if let Some(outcome) = self.early_stage(&source) {
            return Ok(outcome);
        }
        progress::phase(|| "types".to_owned());
        let mut compiled = pydd_frontend::compile(&source, &self.place.name);
        self.log("frontend");
        if let Some(what) = compiled.bug.take() {
            report::write(&source, &compiled.diagnostics, self.options);
            return Err(Fault::new("in type inference", what));
        }
        if self.options.emit == Stage::Types {
            return Ok(self.early(&source, &compiled.diagnostics, &compiled.typed_dump()));
        }
        let Some(module) = compiled.module.take() else {
            report::write(&source, &compiled.diagnostics, self.options);
            return Ok(Outcome::Rejected);
        };
        self.back_end(&source, module, compiled.diagnostics)
    }

    /// Stages before types.
    fn early_stage(&self, source: &SourceFile) -> Option<Outcome> {
        let mut sink = Diagnostics::new();
        let text = match self.options.emit {
            Stage::Tokens => syntax::dump_tokens(source, &mut sink),
            Stage::Ast => {
                syntax::parse(source, &mut sink).map(|m| syntax::dump_ast(source, &m)).unwrap_or_default()
            }
            _ => return None,
        };
        Some(self.early(source, &sink, &text))
    }

    /// Prints what a stage has made of a program that may be wrong.
    fn early(&self, source: &SourceFile, diagnostics: &Diagnostics, text: &str) -> Outcome {
        report::write(source, diagnostics, self.options);
        match self.print(text) {
            Outcome::Done(_) if diagnostics.has_errors() => Outcome::Rejected,
            outcome => outcome,
        }
    }

    /// IR text in place of a source.
    fn ir_text(&self, bytes: &[u8]) -> Result<Outcome, Fault> {
        if matches!(self.options.emit, Stage::Tokens | Stage::Ast | Stage::Types) {
            let file = self.path.display();
            return Ok(Outcome::Usage(format!("{file} is IR text: it has no tokens, syntax tree or types")));
        }
        let mut module = match pir::read(self.path, bytes) {
            Ok(module) => module,
            Err(message) => {
                say!("{message}");
                return Ok(Outcome::Rejected);
            }
        };
        if matches!(self.options.emit, Stage::Obj | Stage::Module) {
            module.name.clone_from(&self.place.name);
        }
        // Its lines are elsewhere.
        let source = SourceFile::new(module.file.clone(), "");
        self.back_end(&source, module, Diagnostics::new())
    }

    fn back_end(
        &self,
        source: &SourceFile,
        module: Module,
        mut diagnostics: Diagnostics,
    ) -> Result<Outcome, Fault> {
        if self.options.verify {
            verify(&module).map_err(|what| Fault::new("after the frontend", what))?;
        }
        if self.options.emit == Stage::Pyi {
            report::write(source, &diagnostics, self.options);
            return Ok(self.print(&stub::stub(&module)));
        }
        if self.options.emit == Stage::Ir {
            report::write(source, &diagnostics, self.options);
            return Ok(self.print(&print_ir(&module)));
        }
        // A report is made when the backend has had its say, about the best processor.
        let reports = self.options.report.is_some() && self.options.emit == Stage::Module;
        let cpus = backend::cpus(self.options);
        let variants = Variant::all(cpus);
        let (mut objects, mut findings) = (Vec::new(), Vec::new());
        for (cpu, variant) in cpus.iter().zip(&variants) {
            let level = backend::Level { cpu, variant };
            let mut module = module.clone();
            findings.clear();
            let refused = !pir::is_lowered(&module)
                && self.passes(source, &mut module, level, &mut diagnostics, &mut findings)?;
            if refused {
                report::write(source, &diagnostics, self.options);
                return Ok(Outcome::Rejected);
            }
            self.log("passes");
            progress::phase(|| "machine code".to_owned());
            if !reports
                && variant.is_base
                && let Err(message) = report::tell(source, &diagnostics, &findings, self.options)
            {
                return Ok(Outcome::Usage(message));
            }
            if self.options.emit != Stage::Module {
                return self.piece(source, &module, level);
            }
            let made = if reports {
                self.objects_with_remarks(source, &module, level, &mut findings)?
            } else {
                self.backend(source, &module, level, self.objects())?
            };
            match made {
                Ok(made) => objects.extend(made),
                Err(outcome) => return Ok(outcome),
            }
            self.log("backend");
        }
        if reports && let Err(message) = report::tell(source, &diagnostics, &findings, self.options) {
            return Ok(Outcome::Usage(message));
        }
        self.link(&module, &objects)
    }

    /// What the linker takes. Of a static library one object, whose functions are its own: in a program names of several libraries must not meet.
    fn objects(&self) -> backend::Output {
        let is_static = self.options.host.is_some_and(|host| host.kind == Kind::Static);
        if is_static { backend::Output::Object } else { backend::Output::Objects }
    }

    /// What is printed or written in place of a module.
    fn piece(
        &self,
        source: &SourceFile,
        module: &Module,
        level: backend::Level<'_>,
    ) -> Result<Outcome, Fault> {
        let output = match self.options.emit {
            Stage::IrOpt | Stage::Loops => return Ok(self.print(&print_ir(module))),
            Stage::Llvm | Stage::Clif => backend::Output::Ir,
            Stage::Asm => backend::Output::Assembly,
            Stage::Ptx => backend::Output::Ptx,
            _ => backend::Output::Object,
        };
        let bytes = match self.backend(source, module, level, output)? {
            Ok(pieces) => pieces.concat(),
            Err(outcome) => return Ok(outcome),
        };
        self.log("backend");
        if output == backend::Output::Object {
            return Ok(self.write(&bytes));
        }
        Ok(self.print(&String::from_utf8_lossy(&bytes)))
    }

    /// The module's objects, and what the backend found out.
    fn objects_with_remarks(
        &self,
        source: &SourceFile,
        module: &Module,
        level: backend::Level<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<Result<Vec<Vec<u8>>, Outcome>, Fault> {
        let run = backend::run_with_remarks(module, level, &self.source_sha256, self.options);
        let (objects, remarks) = match self.made(source, run)? {
            Ok(made) => made,
            Err(outcome) => return Ok(Err(outcome)),
        };
        let vectors = report::vectors::findings(module, &remarks, findings);
        findings.extend(vectors);
        findings.extend(report::effort::findings(module));
        match self.objects() {
            backend::Output::Objects => Ok(Ok(objects)),
            other => self.backend(source, module, level, other),
        }
    }

    /// Runs the passes, and collects what they say; whether one of them refuses the program.
    fn passes(
        &self,
        source: &SourceFile,
        module: &mut Module,
        level: backend::Level<'_>,
        diagnostics: &mut Diagnostics,
        findings: &mut Vec<Finding>,
    ) -> Result<bool, Fault> {
        let done = run_passes(module, self.options, backend::vector_bits(level, self.options), findings);
        match done {
            Ok(()) => Ok(false),
            Err(Stopped::Refused(finding)) => {
                diagnostics.push(report::refusal(source, &finding));
                Ok(true)
            }
            Err(Stopped::Broken { pass, problem }) => {
                Err(Fault::new(format!("after pass '{pass}'"), problem))
            }
        }
    }

    /// What the backend makes; the inner `Err` is how the session ends without them.
    fn backend(
        &self,
        source: &SourceFile,
        module: &Module,
        level: backend::Level<'_>,
        output: backend::Output,
    ) -> Result<Result<Vec<Vec<u8>>, Outcome>, Fault> {
        self.made(source, backend::run(module, level, &self.source_sha256, self.options, output))
    }

    /// What a backend has made; the inner `Err` is how the session ends without it.
    fn made<T>(
        &self,
        source: &SourceFile,
        made: Result<T, CodegenError>,
    ) -> Result<Result<T, Outcome>, Fault> {
        match made {
            Ok(made) => Ok(Ok(made)),
            Err(CodegenError::Unsupported { what, loc }) => {
                let refusal =
                    pydd_passes::Finding::new("unsupported-yet", loc, format!("{what} is not supported yet"));
                let mut sink = Diagnostics::new();
                sink.push(report::refusal(source, &refusal));
                report::write(source, &sink, self.options);
                Ok(Err(Outcome::Rejected))
            }
            Err(CodegenError::Option(message)) => Ok(Err(Outcome::Usage(message))),
            Err(error @ CodegenError::Internal(_)) => Err(Fault::new("in the backend", error)),
        }
    }

    fn link(&self, module: &Module, objects: &[Vec<u8>]) -> Result<Outcome, Fault> {
        if let Some(host) = self.options.host {
            return self.library(module, objects, host);
        }
        progress::phase(|| "linking".to_owned());
        let objects: Vec<&[u8]> = objects.iter().map(Vec::as_slice).collect();
        let bytes = pydd_link::link(
            &objects,
            &pydd_link::LinkOptions { debug_info: self.options.debug, soname: None },
        )
        .map_err(|e| Fault::new("in the linker", e))?;
        self.log("linker");
        Ok(self.write(&bytes))
    }

    /// The library for programs without Python, and the texts by which these call it.
    fn library(&self, module: &Module, objects: &[Vec<u8>], host: Host) -> Result<Outcome, Fault> {
        let Some(target) = &self.place.target else { return Ok(Outcome::Done(None)) };
        let interface = host::interface::interface(module);
        let path = self.path.display();
        for refused in &interface.refused {
            say!("{path}: {}() is left out: {}", refused.name, refused.reason);
        }
        if interface.functions.is_empty() {
            return Ok(Outcome::Usage(format!("{path}: none of its functions can be called without Python")));
        }
        let bytes = host::library::link(host.kind, module, objects, self.options.debug)
            .map_err(|e| Fault::new("in the linker", e))?;
        self.log("linker");
        let texts = host::files(host.language, module, &interface);
        if let Err(message) = host::library::write_texts(target, &texts) {
            return Ok(Outcome::Usage(message));
        }
        let outcome = self.write(&bytes);
        if matches!(outcome, Outcome::Done(_)) {
            say!("{}", host::library::compile_line(host.language, target, host.kind));
        }
        Ok(outcome)
    }

    fn write(&self, bytes: &[u8]) -> Outcome {
        let Some(target) = &self.place.target else { return Outcome::Done(None) };
        match pydd_link::write_atomically(target, bytes) {
            Ok(()) => Outcome::Done(Some(target.clone())),
            Err(error) => Outcome::Usage(error.to_string()),
        }
    }

    /// A file was made; what it was made of is written down where that is asked for.
    fn done(&self, made: PathBuf) -> Outcome {
        let Some(depfile) = &self.options.depfile else { return Outcome::Done(Some(made)) };
        // All files that a compilation reads.
        let read: Vec<&Path> =
            [Some(self.path), self.options.perf.as_deref()].into_iter().flatten().collect();
        let written = depfile::rule(&made, &read).and_then(|rule| {
            pydd_link::write_atomically(depfile, rule.as_bytes()).map_err(|error| error.to_string())
        });
        match written {
            Ok(()) => Outcome::Done(Some(made)),
            Err(message) => Outcome::Usage(message),
        }
    }

    /// Prints a stage's result, or writes it to the file that was asked for.
    fn print(&self, text: &str) -> Outcome {
        if self.place.target.is_some() {
            return self.write(text.as_bytes());
        }
        match say::output(text) {
            Ok(()) => Outcome::Done(None),
            Err(error) => Outcome::Usage(format!("cannot write the output: {error}")),
        }
    }

    fn log(&self, done: &str) {
        if self.options.verbose {
            let elapsed = self.started.elapsed().as_secs_f64() * 1e3;
            say!("{:>9.2} ms  {done} of {} done", elapsed, self.path.display());
        }
    }
}

/// Runs the passes that the options ask for, and collects what they say.
///
/// # Errors
/// Where a pass refuses the program, or leaves IR that the verifier objects to.
pub fn run_passes(
    module: &mut Module,
    options: &Options,
    vector_bits: u32,
    findings: &mut Vec<Finding>,
) -> Result<(), Stopped> {
    let wanted = pydd_passes::Options {
        opt_level: [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3]
            [usize::from(options.opt_level.min(3))],
        unchecked: options.unchecked,
        check_races: options.check_races,
        strict_fp: options.strict_fp,
        auto_parallel: options.auto_parallel,
        device: !options.gpu.0.is_empty() && backend::has_devices(),
        vector_bits,
        fast_math: options.fast_math,
        verify: options.verify,
        bisect: options.opt_bisect,
        skip: options.skip_pass.clone(),
        report: options.report.is_some(),
        until: (options.emit == Stage::IrOpt).then_some(Level::Array),
    };
    let mut watcher = Watcher { options, rows: Vec::new(), remarks: Vec::new(), written: Vec::new() };
    let done = pydd_passes::run_pipeline(module, &wanted, &mut watcher);
    watcher.finish();
    *findings = watcher.findings(module);
    done
}

fn verify(module: &Module) -> Result<(), String> {
    pydd_ir::verify::verify(module)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

fn print_ir(module: &Module) -> String {
    pydd_ir::text::print(module, &pydd_ir::text::PrintOptions::default())
}

/// Prints and times passes as the options ask.
struct Watcher<'a> {
    options: &'a Options,
    rows: Vec<(&'static str, Duration)>,
    remarks: Vec<Finding>,
    /// What functions make as they are written, where it is asked for.
    written: Vec<Allocations>,
}

impl Observer for Watcher<'_> {
    fn remark(&mut self, finding: Finding) {
        self.remarks.push(finding);
    }

    fn after(&mut self, pass: &Pass, module: &Module, elapsed: Duration) {
        self.rows.push((pass.name, elapsed));
        progress::phase(|| format!("passes, behind {}", pass.name));
        if self.options.report.is_some() && pass.name == versions::PASS.name {
            self.written = allocations::of(module);
        }
        if self.options.print_after.iter().any(|name| name == pass.name) {
            // A text that can't be written is no reason to stop.
            let _ = say::output(&format!("; after {}\n{}", pass.name, print_ir(module)));
        }
    }
}

impl Watcher<'_> {
    /// What passes said, and what became of arrays.
    fn findings(self, module: &Module) -> Vec<Finding> {
        let Self { mut remarks, written, options, .. } = self;
        if options.report.is_some() {
            let made = allocations::findings(&written, &allocations::of(module), &remarks);
            remarks.retain(|finding| finding.code != KEPT);
            remarks.extend(made);
        }
        remarks
    }

    fn finish(&self) {
        if self.options.time_passes {
            for (name, elapsed) in &self.rows {
                say!("{:>10.3} ms  {name}", elapsed.as_secs_f64() * 1e3);
            }
        }
    }
}
