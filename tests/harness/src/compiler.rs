//! The compiler as tests use it: the executable, since that is the product.

use crate::files;
use crate::worker::Loops;
use pydd_frontend::source::SourceFile;
use pydd_ir::{Level, Module};
use pydd_passes::{Options, Quiet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Seconds of processor time that one run may take: a hostile source must not take the machine.
const SECONDS: u32 = 60;

/// KiB of memory, likewise.
const MEMORY: u32 = 6_000_000;

/// A stage of the IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    Array,
    ArrayAfterPasses,
    Loops,
}

impl Stage {
    pub const ALL: [Self; 3] = [Self::Array, Self::ArrayAfterPasses, Self::Loops];

    /// For messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Array => "array IR",
            Self::ArrayAfterPasses => "array IR after its passes",
            Self::Loops => "loop IR",
        }
    }
}

/// Runs the compiler in a folder.
///
/// # Errors
/// It can't be started.
pub fn pyddc(folder: &Path, arguments: &[&str]) -> Result<Output, String> {
    pyddc_within(SECONDS, folder, arguments)
}

/// Runs the compiler in a folder with so many seconds of processor time, after which a signal ends it.
///
/// # Errors
/// It can't be started.
pub fn pyddc_within(seconds: u32, folder: &Path, arguments: &[&str]) -> Result<Output, String> {
    let path = files::pyddc();
    Command::new("/bin/sh")
        .arg("-c")
        .arg(format!(r#"ulimit -t {seconds}; ulimit -v {MEMORY}; exec "$0" "$@""#))
        .arg(&path)
        .current_dir(folder)
        .args(arguments)
        .env_remove("PYDD_BLESS")
        .output()
        .map_err(|e| format!("cannot run {}: {e}", path.display()))
}

/// The line of a case file whose floats are what CPython's are only where they are computed in source order.
pub const IN_ORDER: &str = "# Floats in source order.\n";

/// A way to compile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// For messages; empty for the usual way.
    pub name: &'static str,
    pub options: &'static [&'static str],
    /// Whether floats are computed in exact source order: the results of all such ways are equal bit for bit.
    pub exact: bool,
}

impl Way {
    /// As users compile.
    pub const USUAL: Self = Self { name: "", options: &[], exact: false };

    const EXACT: [Self; 4] = [
        Self { name: "GPU", options: &["--backend=cranelift", "-O3", "--strict-fp", "--gpu"], exact: true },
        Self {
            name: "Cranelift, auto-parallel",
            options: &["--backend=cranelift", "-O0", "--strict-fp", "--auto-parallel"],
            exact: true,
        },
        Self { name: "strict LLVM -O0", options: &["--backend=llvm", "-O0", "--strict-fp"], exact: true },
        Self { name: "strict LLVM -O3", options: &["--backend=llvm", "-O3", "--strict-fp"], exact: true },
    ];

    /// Threads of a device that share the steps of an iteration do not sum floats in source order.
    const IN_GROUPS: Self =
        Self { name: "GPU, in groups", options: &["--backend=cranelift", "-O3", "--gpu"], exact: false };

    /// Those for a case file: of one that says [`IN_ORDER`] all in source order.
    fn of(source: &Path, loops: Loops) -> Vec<Self> {
        let text = std::fs::read_to_string(source).unwrap_or_default();
        if text.contains(IN_ORDER) {
            return Self::EXACT.to_vec();
        }
        let is_replaced = |way: &Self| loops == Loops::InGroups && way.name == "GPU";
        Self::all().map(|way| if is_replaced(&way) { Self::IN_GROUPS } else { way }).collect()
    }

    /// The usual way and each backend; optimised code in source order, which takes as long as all others together,
    /// only where tests may take long.
    pub fn all() -> impl Iterator<Item = Self> {
        let exact = if crate::is_long() { &Self::EXACT[..] } else { &Self::EXACT[..3] };
        std::iter::once(Self::USUAL).chain(exact.iter().copied())
    }
}

/// Compiles a file to a module in `folder`.
///
/// # Errors
/// What the compiler said.
pub fn module(source: &Path, folder: &Path, way: Way) -> Result<PathBuf, String> {
    let (source_text, folder_text) = (source.to_string_lossy(), folder.to_string_lossy());
    let mut arguments = vec![&*source_text, "-o", &*folder_text, "--verify", "--color=never"];
    arguments.extend(way.options);
    let made = successful(pyddc(&files::root(), &arguments)?);
    made.map_err(|why| if way.name.is_empty() { why } else { format!("{}: {why}", way.name) })?;
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    Ok(folder.join(format!("{stem}.abi3.so")))
}

/// Compiles a file in each way, each in a folder of its own in `folder`.
///
/// # Errors
/// As [`module`].
pub fn modules(source: &Path, folder: &Path, loops: Loops) -> Result<Vec<(Way, PathBuf)>, String> {
    let in_way = |(i, way): (usize, Way)| {
        let own = folder.join(i.to_string());
        std::fs::create_dir(&own).map_err(|e| e.to_string())?;
        Ok((way, module(source, &own, way)?))
    };
    Way::of(source, loops).into_iter().enumerate().map(in_way).collect()
}

/// The IR of a file as the frontend makes it. In process: the text form of the executable leaves places out.
///
/// # Errors
/// The diagnostics.
pub fn array_ir(source: &Path) -> Result<Module, String> {
    let bytes = std::fs::read(source).map_err(|e| e.to_string())?;
    let file = SourceFile::from_bytes(source.to_string_lossy(), &bytes);
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let compiled = pydd_frontend::compile(&file, &stem);
    let said = || compiled.diagnostics.iter().map(|d| d.headline.clone()).collect::<Vec<_>>().join("\n");
    compiled.module.ok_or_else(said)
}

/// Array IR brought to a stage, verified after each pass.
///
/// # Errors
/// A refusal, or what the verifier says.
pub fn bring_to(module: &Module, stage: Stage) -> Result<Module, String> {
    let mut module = module.clone();
    if stage != Stage::Array {
        let until = (stage == Stage::ArrayAfterPasses).then_some(Level::Array);
        let options = Options { verify: true, until, ..Options::default() };
        pydd_passes::run_pipeline(&mut module, &options, &mut Quiet).map_err(|e| format!("{e:?}"))?;
    }
    Ok(module)
}

/// Standard output of a run that ended well.
fn successful(output: Output) -> Result<String, String> {
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("pyddc ended with {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
}
