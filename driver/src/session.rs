//! Compiles files: reads, runs the stages, writes, and says what happened.

use crate::options::{Options, Stage};
use crate::{backend, bug, report};
use pydd_codegen::CodegenError;
use pydd_frontend::diagnostics::Diagnostics;
use pydd_frontend::source::SourceFile;
use pydd_frontend::stack::on_big_stack;
use pydd_frontend::syntax;
use pydd_ir::{Level, Module};
use pydd_passes::{Observer, OptLevel, Pass, Stopped};
use std::io::Write;
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
    if files.is_empty() {
        eprintln!("pyddc: no input file");
        return ExitCode::from(2);
    }
    if files.len() > 1 && options.output.as_deref().is_some_and(|o| !o.is_dir()) {
        eprintln!("pyddc: --output must be a folder when there are several files");
        return ExitCode::from(2);
    }
    let codes = files.iter().map(|file| match compile_file(file, options) {
        Outcome::Done(_) => 0,
        Outcome::Rejected => 1,
        Outcome::Usage(message) => {
            eprintln!("pyddc: {message}");
            2
        }
        Outcome::Bug => bug::EXIT_CODE,
    });
    ExitCode::from(codes.max().unwrap_or(0))
}

/// Compiles one file.
#[must_use]
pub fn compile_file(path: &Path, options: &Options) -> Outcome {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Outcome::Usage(format!("cannot read {}: {error}", path.display())),
    };
    let session = Session { path, options, started: Instant::now() };
    // Everything below works on its own data; after a panic nothing of it is used again.
    let run = std::panic::AssertUnwindSafe(|| session.compile(&bytes));
    match std::panic::catch_unwind(run) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(Fault { stage, what })) => {
            bug::report(path, &bytes, &stage, &what);
            Outcome::Bug
        }
        Err(_) => {
            bug::report(path, &bytes, "(panic)", &bug::last_panic());
            Outcome::Bug
        }
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
    started: Instant,
}

impl Session<'_> {
    fn compile(&self, bytes: &[u8]) -> Result<Outcome, Fault> {
        let source = SourceFile::from_bytes(self.path.to_string_lossy(), bytes);
        if let Some(text) = self.early_stage(&source) {
            return Ok(self.print(&text));
        }
        let mut compiled = pydd_frontend::compile(&source, &self.module_name());
        self.log("frontend");
        if let Some(what) = compiled.bug.take() {
            report::write(&source, &compiled.diagnostics, self.options);
            return Err(Fault::new("in type inference", what));
        }
        if self.options.emit == Stage::Types {
            report::write(&source, &compiled.diagnostics, self.options);
            return Ok(self.print(&compiled.typed_dump()));
        }
        let Some(mut module) = compiled.module.take() else {
            report::write(&source, &compiled.diagnostics, self.options);
            return Ok(Outcome::Rejected);
        };
        self.back_end(&source, &mut module, compiled.diagnostics)
    }

    /// Stages before types.
    fn early_stage(&self, source: &SourceFile) -> Option<String> {
        match self.options.emit {
            Stage::Tokens => Some(self.reported(source, |sink| syntax::dump_tokens(source, sink))),
            Stage::Ast => Some(self.reported(source, |sink| {
                on_big_stack(|| syntax::parse(source, sink).map(|m| syntax::dump_ast(source, &m)))
                    .unwrap_or_default()
            })),
            _ => None,
        }
    }

    /// Runs a stage and writes what it has to say.
    fn reported<R>(&self, source: &SourceFile, stage: impl FnOnce(&mut Diagnostics) -> R) -> R {
        let mut sink = Diagnostics::new();
        let result = stage(&mut sink);
        report::write(source, &sink, self.options);
        result
    }

    fn back_end(
        &self,
        source: &SourceFile,
        module: &mut Module,
        mut diagnostics: Diagnostics,
    ) -> Result<Outcome, Fault> {
        if self.options.verify {
            verify(module).map_err(|what| Fault::new("after the frontend", what))?;
        }
        if self.options.emit == Stage::Ir {
            report::write(source, &diagnostics, self.options);
            return Ok(self.print(&print_ir(module)));
        }
        let refused = self.passes(module)?;
        if let Some(refusal) = &refused {
            diagnostics.push(report::refusal(source, refusal));
        }
        report::write(source, &diagnostics, self.options);
        if refused.is_some() {
            return Ok(Outcome::Rejected);
        }
        self.log("passes");
        match self.options.emit {
            Stage::IrOpt | Stage::Loops => Ok(self.print(&print_ir(module))),
            Stage::Llvm => self.backend_text(module, backend::Output::Ir),
            Stage::Asm => self.backend_text(module, backend::Output::Assembly),
            _ => self.object(module),
        }
    }

    /// Runs the passes; gives what one of them refuses.
    fn passes(&self, module: &mut Module) -> Result<Option<pydd_passes::Refusal>, Fault> {
        let options = pydd_passes::Options {
            opt_level: [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3]
                [usize::from(self.options.opt_level.min(3))],
            unchecked: self.options.unchecked,
            strict_fp: self.options.strict_fp,
            fast_math: self.options.fast_math,
            verify: self.options.verify,
            bisect: self.options.opt_bisect,
            until: (self.options.emit == Stage::IrOpt).then_some(Level::Array),
        };
        let mut watcher = Watcher { options: self.options, rows: Vec::new() };
        let done = pydd_passes::run_pipeline(module, &options, &mut watcher);
        watcher.finish();
        match done {
            Ok(()) => Ok(None),
            Err(Stopped::Refused(refusal)) => Ok(Some(refusal)),
            Err(Stopped::Broken { pass, problem }) => {
                Err(Fault::new(format!("after pass '{pass}'"), problem))
            }
        }
    }

    /// The backend's bytes; the inner `Err` is how the session ends without them.
    fn backend(&self, module: &Module, output: backend::Output) -> Result<Result<Vec<u8>, Outcome>, Fault> {
        match backend::run(module, self.options, output) {
            Ok(bytes) => Ok(Ok(bytes)),
            Err(CodegenError::Unsupported { what, loc }) => {
                let (path, line, column) = (self.path.display(), loc.line, loc.column);
                eprintln!("{path}:{line}:{column}: error: {what} is not supported yet");
                Ok(Err(Outcome::Rejected))
            }
            Err(CodegenError::Option(message)) => Ok(Err(Outcome::Usage(message))),
            Err(error @ CodegenError::Internal(_)) => Err(Fault::new("in the backend", error)),
        }
    }

    fn backend_text(&self, module: &Module, output: backend::Output) -> Result<Outcome, Fault> {
        Ok(match self.backend(module, output)? {
            Ok(bytes) => self.print(&String::from_utf8_lossy(&bytes)),
            Err(outcome) => outcome,
        })
    }

    fn object(&self, module: &Module) -> Result<Outcome, Fault> {
        let object = match self.backend(module, backend::Output::Object)? {
            Ok(object) => object,
            Err(outcome) => return Ok(outcome),
        };
        self.log("backend");
        let (target, bytes) = if self.options.emit == Stage::Obj {
            (self.target("o"), object)
        } else {
            let linked = pydd_link::link(&[&object], &pydd_link::LinkOptions::default())
                .map_err(|e| Fault::new("in the linker", e))?;
            self.log("linker");
            (self.target("abi3.so"), linked)
        };
        match pydd_link::write_atomically(&target, &bytes) {
            Ok(()) => Ok(Outcome::Done(Some(target))),
            Err(error) => Ok(Outcome::Usage(format!("cannot write {}: {error}", target.display()))),
        }
    }

    /// The last part of the module's name.
    fn module_name(&self) -> String {
        let output = self.options.output.as_deref().filter(|o| !o.is_dir());
        let name = output.unwrap_or(self.path).file_name().unwrap_or_default().to_string_lossy();
        name.split('.').next().unwrap_or_default().to_owned()
    }

    fn target(&self, extension: &str) -> PathBuf {
        let name = format!("{}.{extension}", self.module_name());
        match self.options.output.as_deref() {
            Some(folder) if folder.is_dir() => folder.join(name),
            Some(file) => file.to_owned(),
            None => self.path.with_file_name(name),
        }
    }

    fn print(&self, text: &str) -> Outcome {
        let written = match self.options.output.as_deref().filter(|o| !o.is_dir()) {
            Some(path) => std::fs::write(path, text),
            None => std::io::stdout().lock().write_all(text.as_bytes()),
        };
        match written {
            Ok(()) => Outcome::Done(None),
            Err(error) => Outcome::Usage(format!("cannot write the output: {error}")),
        }
    }

    fn log(&self, done: &str) {
        if self.options.verbose {
            let elapsed = self.started.elapsed().as_secs_f64() * 1e3;
            eprintln!("{:>9.2} ms  {done} of {} done", elapsed, self.path.display());
        }
    }
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
}

impl Observer for Watcher<'_> {
    fn after(&mut self, pass: &Pass, module: &Module, elapsed: Duration) {
        self.rows.push((pass.name, elapsed));
        if self.options.print_after.iter().any(|name| name == pass.name) {
            println!("; after {}\n{}", pass.name, print_ir(module));
        }
    }
}

impl Watcher<'_> {
    fn finish(&self) {
        if self.options.time_passes {
            for (name, elapsed) in &self.rows {
                eprintln!("{:>10.3} ms  {name}", elapsed.as_secs_f64() * 1e3);
            }
        }
    }
}
