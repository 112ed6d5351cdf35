//! The command line.

use crate::check::CheckArgs;
use crate::host::Language;
use crate::options::{Backend, Color, Cpus, Devices, Host, Machine, MessageFormat, Options, Report, Stage};
use crate::settings::Given;
use crate::shells::Shell;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Args, CommandFactory, Parser, Subcommand};
use std::path::PathBuf;

/// Compile kernels in a typed subset of Python to native Python modules.
#[derive(Parser, Debug)]
#[command(name = "pyddc", version, args_conflicts_with_subcommands = true, arg_required_else_help = true)]
#[command(after_help = "Exit codes: 0 done; 1 the program is wrong; 2 wrong usage; 101 a compiler bug.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub compile: CompileArgs,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Explain a diagnostic's code or a library function.
    Explain {
        /// The code between the brackets, as in error[undefined-name]; a function, as np.sum; `library` for all
        /// functions; without it, the list of all codes.
        code: Option<String>,
        /// Of `library`: one JSON object for each function, a line each.
        #[arg(long)]
        json: bool,
    },
    /// Run passes on IR text.
    Opt(OptArgs),
    /// Say what is wrong with programs, without making modules.
    Check(CheckArgs),
    /// Begin a project: a folder with a kernel, a Python file that uses it, a test and settings.
    New {
        /// The folder; it must not be there yet, or be empty.
        #[arg(value_name = "NAME")]
        folder: PathBuf,
    },
    /// Compile files, and again whenever they change, until interrupted.
    Watch(CompileArgs),
    /// Serve an editor by the Language Server Protocol, over standard input and output.
    Lsp {
        /// What editors say who know several ways; it is the only one here.
        #[arg(long, hide = true)]
        stdio: bool,
    },
    /// Print what a shell needs to complete this command.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page, for `man -l -`.
    Man,
}

#[derive(Args, Debug)]
pub struct CompileArgs {
    /// Source files, or IR text (*.pir); each makes one module beside it.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Output file, or an existing folder.
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Write a rule for Make beside the output: the files it was made of, as gcc -MD writes them.
    #[arg(long, value_name = "FILE")]
    pub depfile: Option<PathBuf>,
    /// Optimisation level.
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=3))]
    pub opt_level: u8,
    /// What makes the machine code; Cranelift compiles in no time and LLVM makes it fast [default: cranelift
    /// for -O0, else llvm].
    #[arg(long, value_name = "NAME")]
    pub backend: Option<Backend>,
    /// Machine to compile for [default: this one].
    #[arg(long, value_name = "MACHINE")]
    pub target: Option<Machine>,
    /// Processor to compile for: native, generic, or a name that LLVM knows (x86-64-v3, znver4, …). With several names, each better
    /// than the one before, the module has code for all, and the best that runs is taken at import; portable is
    /// x86-64-v2,x86-64-v3,x86-64-v4 [default: native, or generic for another machine].
    #[arg(long, value_name = "NAME,…")]
    pub cpu: Option<String>,
    /// Make a library for programs in this language instead, which need no Python: libNAME.so and a header, or a crate.
    #[arg(long, value_name = "LANGUAGE", conflicts_with = "emit")]
    pub host: Option<Language>,
    /// With --host: a static library, libNAME.a, which a crate has anyway.
    #[arg(long = "static", requires = "host")]
    pub static_library: bool,
    /// Print the result of a stage instead of making a module.
    #[arg(long, value_name = "STAGE", default_value = "module")]
    pub emit: Stage,
    /// Leave out the checks of indices: wrong programs then read and write anywhere.
    #[arg(long)]
    pub unchecked: bool,
    /// Run parallel loops in order, and raise RuntimeError where iterations touch one element and one writes it.
    #[arg(long, conflicts_with = "unchecked")]
    pub check_races: bool,
    /// Evaluate floats exactly in source order, without fused multiply-add.
    #[arg(long, conflicts_with = "fast_math")]
    pub strict_fp: bool,
    /// Run loops on threads whose iterations may run in any order: those of the source, and those of whole-array operations.
    #[arg(long)]
    pub auto_parallel: bool,
    /// Let NaN, infinity and signed zero lose their meaning.
    #[arg(long)]
    pub fast_math: bool,
    /// Make kernels for NVIDIA's devices of parallel loops and whole-array operations, which run there where a device is and there is enough to do. For
    /// these compute capabilities and newer ones [without a value: sm_75].
    #[arg(long, value_name = "sm_75,…", num_args = 0..=1, require_equals = true, default_missing_value = Devices::DEFAULT)]
    pub gpu: Option<String>,
    /// Describe the code in DWARF, for gdb and perf: lines of the source and, with -O0, variables.
    #[arg(short = 'g')]
    pub debug: bool,
    /// Say what is done and how long it takes.
    #[arg(short, long)]
    pub verbose: bool,
    /// When to colour diagnostics.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// How to write diagnostics.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    /// Say what was fused, moved out of loops, made, checked, vectorised and run in parallel, and what was not, and why: as
    /// remarks, or as a page with the source.
    #[arg(long, value_name = "FILE.html", num_args = 0..=1, require_equals = true)]
    #[allow(clippy::option_option, reason = "without a value it means something else than not at all")]
    pub report: Option<Option<PathBuf>>,
    /// Show in the report where a program that was compiled with -g spent its time: a file of `perf record`, or what `perf script -F
    /// ip,sym,srcline` printed.
    #[arg(long, value_name = "FILE", requires = "report")]
    pub perf: Option<PathBuf>,
    /// Print the IR after a pass (several: repeat).
    #[arg(long, value_name = "PASS", action = ArgAction::Append)]
    pub print_after: Vec<String>,
    /// Print how long each pass took.
    #[arg(long)]
    pub time_passes: bool,
    /// Run only the first N passes.
    #[arg(long, value_name = "N")]
    pub opt_bisect: Option<u32>,
    /// Leave out a pass that is not needed (several: repeat): to see what it is worth
    #[arg(long, value_name = "PASS")]
    pub skip_pass: Vec<String>,
    /// Leave [tool.pydd] of the nearest pyproject.toml alone, which else says what the command line does not.
    #[arg(long)]
    pub no_config: bool,
    /// Verify the IR after each pass.
    #[arg(long)]
    pub verify: bool,
}

#[derive(Args, Debug)]
pub struct OptArgs {
    /// IR text files.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Run this pass (several: repeat, in order).
    #[arg(long = "pass", value_name = "NAME", action = ArgAction::Append)]
    pub passes: Vec<String>,
    /// Treat each file as a pass case: run its directives and say whether they hold.
    #[arg(long, conflicts_with = "passes")]
    pub check: bool,
}

impl Given {
    /// What stands on the command line; `matches` has the options of compiling.
    #[must_use]
    pub fn on(matches: &ArgMatches) -> Self {
        let given = |name| matches.value_source(name) == Some(ValueSource::CommandLine);
        Self { opt_level: given("opt_level"), cpu: given("cpu") }
    }
}

impl CompileArgs {
    /// The options of a compilation; `given`: those of them that always have a value and are given.
    ///
    /// # Errors
    /// A processor that the machine cannot have.
    pub fn options(&self, given: Given) -> Result<Options, clap::Error> {
        let target = self.target.unwrap_or_default();
        let cpu = Cpus::of(self.cpu.as_deref(), target).map_err(|message| {
            Cli::command()
                .error(ErrorKind::InvalidValue, format!("invalid value for '--cpu <NAME,…>': {message}"))
        })?;
        let gpu = self.gpu.as_deref().map_or(Ok(Devices::default()), Devices::of).map_err(|message| {
            Cli::command().error(ErrorKind::InvalidValue, format!("invalid value for '--gpu': {message}"))
        })?;
        Ok(Options {
            output: self.output.clone(),
            depfile: self.depfile.clone(),
            opt_level: self.opt_level,
            backend: self.backend,
            target,
            cpu,
            emit: self.emit,
            host: self.host.map(|language| Host::new(language, self.static_library)),
            unchecked: self.unchecked,
            check_races: self.check_races,
            strict_fp: self.strict_fp,
            auto_parallel: self.auto_parallel,
            fast_math: self.fast_math,
            gpu,
            debug: self.debug,
            verbose: self.verbose,
            color: self.color,
            message_format: self.message_format,
            report: self.report.clone().map(|file| file.map_or(Report::Text, Report::Page)),
            perf: self.perf.clone(),
            print_after: self.print_after.clone(),
            time_passes: self.time_passes,
            opt_bisect: self.opt_bisect,
            skip_pass: self.skip_pass.clone(),
            verify: self.verify || Options::default().verify,
            project: (!self.no_config).then_some(given),
        })
    }
}
