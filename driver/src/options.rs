//! What a user can ask of a compilation.

use crate::host::Language;
use crate::host::library::Kind;
use crate::settings::Given;
use pydd_codegen::cpu::{Architecture, Cpu};
use std::fmt;
use std::path::PathBuf;

/// A stage whose result can be printed instead of a module being made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Stage {
    /// Tokens, with pydd's own words marked.
    Tokens,
    /// The syntax tree.
    Ast,
    /// The typed program.
    Types,
    /// The module's types for type checkers.
    Pyi,
    /// Array IR, as the frontend makes it.
    Ir,
    /// Array IR after the array passes.
    IrOpt,
    /// Loop IR, as the backend takes it.
    Loops,
    /// LLVM IR after LLVM's passes.
    Llvm,
    /// Cranelift's IR.
    Clif,
    /// Assembly.
    Asm,
    /// PTX, the kernels for devices.
    Ptx,
    /// The object file.
    Obj,
    /// The Python extension module.
    Module,
}

/// What makes machine code of loop IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Backend {
    /// Fast code.
    Llvm,
    /// Fast compilation.
    Cranelift,
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// How diagnostics are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum MessageFormat {
    #[default]
    Human,
    /// One JSON object a line, on standard error.
    Json,
}

/// Where a report goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Report {
    /// To standard error, as remarks.
    Text,
    /// To a file, as a page.
    Page(PathBuf),
}

/// A library for programs without Python.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Host {
    pub language: Language,
    pub kind: Kind,
}

impl Host {
    #[must_use]
    pub fn new(language: Language, is_static: bool) -> Self {
        let kind = if is_static || language == Language::Rust { Kind::Static } else { Kind::Shared };
        Self { language, kind }
    }
}

/// Machines that modules can be made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Machine {
    #[value(name = "x86_64-linux")]
    X86_64Linux,
    #[value(name = "aarch64-linux")]
    Aarch64Linux,
}

impl Default for Machine {
    /// This one.
    fn default() -> Self {
        match Architecture::HOST {
            Architecture::Aarch64 => Self::Aarch64Linux,
            _ => Self::X86_64Linux,
        }
    }
}

impl Machine {
    /// As the command line has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::X86_64Linux => "x86_64-linux",
            Self::Aarch64Linux => "aarch64-linux",
        }
    }

    #[must_use]
    pub const fn architecture(self) -> Architecture {
        match self {
            Self::X86_64Linux => Architecture::X86_64,
            Self::Aarch64Linux => Architecture::Aarch64,
        }
    }
}

/// Processors to compile for, each better than the one before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cpus(pub Vec<String>);

impl Cpus {
    /// Names with commas between them; none is this machine's processor, or any of another machine.
    ///
    /// # Errors
    /// A name that there is none of, or that comes after a better one.
    pub fn of(names: Option<&str>, machine: Machine) -> Result<Self, String> {
        let portable = match machine {
            Machine::X86_64Linux => "x86-64-v2,x86-64-v3,x86-64-v4",
            Machine::Aarch64Linux => "generic",
        };
        let names = match names {
            Some("portable") => portable,
            Some(names) => names,
            None if machine == Machine::default() => "native",
            None => "generic",
        };
        let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
        let find = |name: &String| Cpu::find(name, machine.architecture()).map_err(|error| error.to_string());
        let found = names.iter().map(find).collect::<Result<Vec<Cpu>, String>>()?;
        for (pair, names) in found.windows(2).zip(names.windows(2)) {
            let includes = pair[0].required.iter().all(|&feature| pair[1].has(feature));
            if !includes || pair[0].required.len() == pair[1].required.len() {
                return Err(format!(
                    "'{}' is not better than '{}': name the better one last",
                    names[1], names[0]
                ));
            }
        }
        Ok(Self(names))
    }

    #[must_use]
    pub fn are_several(&self) -> bool {
        self.0.len() > 1
    }
}

impl Default for Cpus {
    fn default() -> Self {
        Self(vec!["native".to_owned()])
    }
}

impl fmt::Display for Cpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

/// Compute capabilities of devices to make kernels for, each as 10 * major + minor; none: no kernels.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Devices(pub Vec<u32>);

impl Devices {
    /// What all devices run that drivers of today support.
    pub const DEFAULT: &'static str = "sm_75";

    /// Names with commas between them.
    ///
    /// # Errors
    /// A name that there is none of, or twice.
    pub fn of(names: &str) -> Result<Self, String> {
        let known = crate::backend::device_levels();
        let mut levels = Vec::new();
        for name in names.split(',') {
            let level = name.strip_prefix("sm_").and_then(|level| level.parse().ok());
            let Some(level) = level.filter(|level| known.contains(level)) else {
                let known: Vec<String> = known.iter().map(|level| format!("sm_{level}")).collect();
                return Err(format!("there is no device '{name}'; known are {}", known.join(", ")));
            };
            if levels.contains(&level) {
                return Err(format!("'{name}' is named twice"));
            }
            levels.push(level);
        }
        Ok(Self(levels))
    }
}

impl fmt::Display for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.0.iter().map(|level| format!("sm_{level}")).collect();
        f.write_str(&names.join(","))
    }
}

/// Options of one compilation.
#[derive(Clone, Debug)]
pub struct Options {
    pub output: Option<PathBuf>,
    /// Where the rule for Make goes.
    pub depfile: Option<PathBuf>,
    pub opt_level: u8,
    /// None: the one that suits the optimisation level.
    pub backend: Option<Backend>,
    pub target: Machine,
    pub cpu: Cpus,
    pub emit: Stage,
    /// Make a library for programs in another language instead of a Python module.
    pub host: Option<Host>,
    /// Leave out the checks of indices.
    pub unchecked: bool,
    /// Raise where iterations of a parallel loop race.
    pub check_races: bool,
    pub strict_fp: bool,
    /// Make loops parallel whose iterations may run in any order.
    pub auto_parallel: bool,
    pub fast_math: bool,
    /// Make kernels for devices of the parallel loops.
    pub gpu: Devices,
    /// Describe lines and variables to debuggers and profilers.
    pub debug: bool,
    pub verbose: bool,
    pub color: Color,
    pub message_format: MessageFormat,
    /// Say what became of the program's loops and arrays.
    pub report: Option<Report>,
    /// Samples of `perf` to show in the report.
    pub perf: Option<PathBuf>,
    /// Print the IR after these passes.
    pub print_after: Vec<String>,
    pub time_passes: bool,
    /// Run no more than this many passes.
    pub opt_bisect: Option<u32>,
    pub skip_pass: Vec<String>,
    /// Run the IR verifier after each pass.
    pub verify: bool,
    /// The settings of the source's project count, but for what the command line gives; None: no settings are read.
    pub project: Option<Given>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            output: None,
            depfile: None,
            opt_level: 3,
            backend: None,
            target: Machine::default(),
            cpu: Cpus::default(),
            emit: Stage::Module,
            host: None,
            unchecked: false,
            check_races: false,
            strict_fp: false,
            auto_parallel: false,
            fast_math: false,
            gpu: Devices::default(),
            debug: false,
            verbose: false,
            color: Color::Auto,
            message_format: MessageFormat::Human,
            report: None,
            perf: None,
            print_after: Vec::new(),
            time_passes: false,
            opt_bisect: None,
            skip_pass: Vec::new(),
            verify: cfg!(debug_assertions),
            project: None,
        }
    }
}

impl Options {
    /// Those that change what the code does or how fast it is, as they are written.
    #[must_use]
    pub fn that_matter(&self) -> String {
        let flags = [
            (self.strict_fp, "--strict-fp"),
            (self.fast_math, "--fast-math"),
            (self.unchecked, "--unchecked"),
            (self.check_races, "--check-races"),
            (self.auto_parallel, "--auto-parallel"),
        ];
        let mut text = format!("-O{}", self.opt_level);
        if self.target != Machine::default() {
            text += &format!(" --target={}", self.target.name());
        }
        text += &format!(" --cpu={}", self.cpu);
        for (_, flag) in flags.iter().filter(|(on, _)| *on) {
            text += " ";
            text += flag;
        }
        if !self.gpu.0.is_empty() {
            text += &format!(" --gpu={}", self.gpu);
        }
        text
    }
}
