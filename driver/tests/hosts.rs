//! `pyddc --host`: programs in C, C++ and Rust that call kernels, compiled and run.

// So that Cargo makes `libpydd.so` and `libpydd.a` before these tests.
use pydd as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hosts");
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/hosts");

/// What all examples print, whichever language they are in, before the line about the error.
const LENGTHS: &str =
    "lengths of rows: 5 3\nlengths of columns: 3.162 4.472 2.000\nmean 3.211, variance 1.020\n";

/// Where `libpydd` is: beside this test.
fn runtime() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    output
}

fn pyddc(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pyddc")).args(arguments).current_dir(folder).output().unwrap()
}

/// Libraries and headers, made once: `.so` and `.a`, each with both headers.
fn made() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            let sources = [
                format!("{TESTS}/all.pydd"),
                format!("{TESTS}/other.pydd"),
                format!("{EXAMPLES}/kernels.pydd"),
            ];
            for arguments in
                [["--host=c", "-O3", "-o."].as_slice(), &["--host=cpp", "--static", "--report", "-O1", "-o."]]
            {
                let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
                let output = pyddc(&[arguments, &sources].concat(), folder.path());
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            }
            folder
        })
        .path()
}

/// Compiles a program with all warnings as errors, runs it, and gives what it prints.
fn program(compiler: &[&str], source: &str, link: &[&str]) -> String {
    program_with(made(), compiler, source, link, "native")
}

/// As [`program`], with the libraries of a folder; `cpu` is the best processor whose code is taken.
fn program_with(libraries: &Path, compiler: &[&str], source: &str, link: &[&str], cpu: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("program");
    run(Command::new(compiler[0])
        .args(&compiler[1..])
        .args(["-g", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-pedantic", "-Werror", source, "-I."])
        .arg("-o")
        .arg(&binary)
        .args(link)
        .current_dir(libraries));
    let folders = format!("{}:{}", libraries.display(), runtime().display());
    let output = run(Command::new(&binary).env("LD_LIBRARY_PATH", folders).env("PYDD_CPU", cpu));
    String::from_utf8(output.stdout).unwrap()
}

fn shared(modules: &[&str]) -> Vec<String> {
    let names = modules.iter().map(|module| format!("-l{module}"));
    ["-L.".to_owned(), format!("-L{}", runtime().display())]
        .into_iter()
        .chain(names)
        .chain(["-lpydd".to_owned()])
        .collect()
}

fn archives(modules: &[&str]) -> Vec<String> {
    let files = modules.iter().map(|module| format!("lib{module}.a"));
    files
        .chain([format!("{}/libpydd.a", runtime().display())])
        .chain(["-lm", "-lpthread", "-ldl"].map(str::to_owned))
        .collect()
}

fn strings(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

const C: [&str; 2] = ["gcc", "-std=c11"];
const CPP: [&str; 2] = ["g++", "-std=c++17"];

#[test]
fn all_types_and_errors_in_c() {
    let source = format!("{TESTS}/all.c");
    assert_eq!(program(&C, &source, &strings(&shared(&["all", "other"]))), "all right\n");
}

#[test]
fn two_static_libraries_in_a_program() {
    let source = format!("{TESTS}/all.c");
    assert_eq!(program(&C, &source, &strings(&archives(&["all", "other"]))), "all right\n");
}

#[test]
fn all_types_and_errors_in_cpp() {
    let source = format!("{TESTS}/all.cpp");
    assert_eq!(program(&CPP, &source, &strings(&shared(&["all"]))), "all right\n");
}

/// A library has code for several processors, of which the best is taken at the first call.
#[test]
fn several_processors_in_a_library() {
    let folder = tempfile::tempdir().unwrap();
    let sources = ["all", "other"].map(|name| format!("{TESTS}/{name}.pydd"));
    let output = pyddc(
        &["--host=c", "--cpu=x86-64-v2,x86-64-v3", "-O1", "-o.", &sources[0], &sources[1]],
        folder.path(),
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let source = format!("{TESTS}/all.c");
    for cpu in ["x86-64-v2", "x86-64-v3"] {
        let printed = program_with(folder.path(), &C, &source, &strings(&shared(&["all", "other"])), cpu);
        assert_eq!(printed, "all right\n");
    }
    let output = pyddc(&["--host=c", "--static", "--cpu=portable", "-o.", &sources[1]], folder.path());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("a static library is for one processor, and --cpu names 3"), "{told}");
}

#[test]
fn views_of_mdspans() {
    let source = format!("{TESTS}/mdspan.cpp");
    for standard in ["-std=c++17", "-std=c++23"] {
        assert_eq!(program(&["g++", standard], &source, &strings(&shared(&["all"]))), "all right\n");
    }
}

#[test]
fn the_examples_in_c_and_cpp() {
    let blurred = "blurred: 0 1 1 1 0\n";
    let c = program(&C, &format!("{EXAMPLES}/c/main.c"), &strings(&shared(&["kernels"])));
    assert_eq!(
        c,
        format!("{LENGTHS}{blurred}IndexError in line 39: index 7 is out of bounds for axis 0 with size 3\n")
    );
    let cpp = program(&CPP, &format!("{EXAMPLES}/cpp/main.cpp"), &strings(&shared(&["kernels"])));
    let error = "IndexError in line 39: index 7 is out of bounds for axis 0 with size 6\n";
    assert_eq!(cpp, format!("{LENGTHS}the last one: 2.000\n{blurred}{error}"));
}

/// The headers of C are for C++ as well.
#[test]
fn the_c_header_in_cpp() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("both.cpp");
    std::fs::write(
        &source,
        "#include \"all.h\"\n#include \"all.hpp\"\nint main() { return all_nothing(); }\n",
    )
    .unwrap();
    program(&CPP, source.to_str().unwrap(), &strings(&shared(&["all"])));
}

#[test]
fn a_library_asks_for_nothing_of_python() {
    let symbols = run(Command::new("nm").args(["-D", "liball.so"]).current_dir(made()));
    let symbols = String::from_utf8(symbols.stdout).unwrap();
    assert!(symbols.contains(" T pydd_module_all_") && !symbols.contains("Py"), "{symbols}");
    let symbols =
        run(Command::new("nm").args(["-D", "--undefined-only", "libpydd.so"]).current_dir(runtime()));
    assert!(!String::from_utf8(symbols.stdout).unwrap().contains("Py"));
    let dynamic = run(Command::new("readelf").args(["-d", "libpydd.so"]).current_dir(runtime()));
    assert!(String::from_utf8(dynamic.stdout).unwrap().contains("soname: [libpydd.so]"));
}

/// A program with the header of another module of that name does not start with wrong arguments.
#[test]
fn a_header_of_another_version_does_not_link() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("other.pydd"),
        "def at(a: Array(float32, 1), i: int) -> float32:\n    return a[i]\n",
    )
    .unwrap();
    let made_again = pyddc(&["--host=c", "-O0", "other.pydd"], folder.path());
    assert!(made_again.status.success());
    std::fs::write(
        folder.path().join("main.c"),
        "#include \"other.h\"\nint main(void) { float x; return other_at(pydd_make_const_float32_1d(&x, 1), 0, &x); }\n",
    )
    .unwrap();
    let with = |library: &Path| {
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=c11", "main.c", "-o", "main"]).arg(library.join("libother.so"));
        gcc.arg(runtime().join("libpydd.so")).current_dir(folder.path()).output().unwrap()
    };
    assert!(with(folder.path()).status.success());
    let wrong = with(made());
    let text = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(!wrong.status.success() && text.contains("undefined reference to `pydd_module_other_"), "{text}");
}

#[test]
fn what_cannot_be_called_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let source = format!("{TESTS}/all.pydd");
    let output = pyddc(&["--host=c", "-O0", "-o.", &source], folder.path());
    let told = String::from_utf8(output.stderr).unwrap();
    for part in [
        "count() is left out: its parameter `words` is a dict",
        "pairs() is left out: its parameter `xs` is a list of tuples",
        "grow() is left out: its parameter `xs` is a list that it changes; return a new one, or take an array",
        "cc -std=c11 main.c -I. -L. -lall ",
    ] {
        assert!(told.contains(part), "{told}");
    }
    let header = std::fs::read_to_string(folder.path().join("all.h")).unwrap();
    assert!(header.contains("/* all_count() is not here: its parameter `words` is a dict"));
    std::fs::write(
        folder.path().join("dicts.pydd"),
        "def f(d: Dict(int64, int64)) -> int:\n    return len(d)\n",
    )
    .unwrap();
    let output = pyddc(&["--host=cpp", "dicts.pydd"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("none of its functions can be called without Python")
    );
    assert!(!folder.path().join("dicts.hpp").exists() && !folder.path().join("libdicts.so").exists());
}

#[test]
fn wrong_command_lines() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["k.pydd", "pydd_k.pydd", "my-k.pydd"] {
        std::fs::write(folder.path().join(name), "def f(x: int) -> int:\n    return x\n").unwrap();
    }
    for (arguments, part) in [
        (&["--host=fortran", "k.pydd"][..], "invalid value 'fortran'"),
        (&["--host=c", "--emit=llvm", "k.pydd"], "cannot be used with"),
        (&["--static", "k.pydd"], "--host"),
        (&["--host=c", "-o", "none", "k.pydd"], "there is no folder none"),
        (&["--host=c", "pydd_k.pydd"], "the name `pydd_k` is taken"),
        (&["--host=c", "my-k.pydd"], "`my-k` is not a Python identifier"),
    ] {
        let output = pyddc(arguments, folder.path());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && told.contains(part), "{arguments:?}: {told}");
    }
}

/// The same source gives the same bytes.
#[test]
fn libraries_do_not_depend_on_the_run() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let source = format!("{TESTS}/other.pydd");
    let files = folders.each_ref().map(|folder| {
        for arguments in [["--host=cpp", "-O1"], ["--host=rust", "-O1"]] {
            let output = pyddc(&[&arguments[..], &["-o.", &source]].concat(), folder.path());
            assert!(output.status.success());
        }
        ["libother.so", "other.hpp", "other/libother.a", "other/src/lib.rs"]
            .map(|name| std::fs::read(folder.path().join(name)).unwrap())
    });
    assert_eq!(files[0], files[1]);
}

/// Cargo, for crates in a folder, whose warnings are errors.
fn cargo(folder: &Path) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(folder).env("PYDD_LIB", runtime()).env("RUSTFLAGS", "-D warnings");
    cargo.env("CARGO_TARGET_DIR", folder.join("target"));
    cargo
}

/// What `all.pydd` has, with ndarray, and the example.
#[test]
fn crates_in_rust() {
    let folder = tempfile::tempdir().unwrap();
    let output = pyddc(&["--host=rust", "-O1", "-o.", &format!("{TESTS}/all.pydd")], folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::create_dir(folder.path().join("all/tests")).unwrap();
    std::fs::copy(format!("{TESTS}/all.rs"), folder.path().join("all/tests/all.rs")).unwrap();
    let test = [
        "test",
        "--offline",
        "--quiet",
        "--features",
        "ndarray",
        "--test",
        "all",
        "--manifest-path",
        "all/Cargo.toml",
    ];
    let output = run(cargo(folder.path()).args(test));
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("7 passed"),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );

    for file in ["Cargo.toml", "src/main.rs"] {
        let to = folder.path().join("example").join(file);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(format!("{EXAMPLES}/rust/{file}"), to).unwrap();
    }
    std::fs::create_dir(folder.path().join("example/build")).unwrap();
    let kernels = format!("{EXAMPLES}/kernels.pydd");
    assert!(pyddc(&["--host=rust", "-O1", "-oexample/build", &kernels], folder.path()).status.success());
    let output = run(cargo(folder.path()).args([
        "run",
        "--offline",
        "--quiet",
        "--manifest-path",
        "example/Cargo.toml",
    ]));
    let rest = "the last one: 2.000\nblurred: 0 1 1 1 0\nIndexError in line 39: index 7 is out of bounds for axis 0 with size 3\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{LENGTHS}{rest}"));
}

/// A crate that compiles its kernels in its build script.
#[test]
fn kernels_in_a_build_script() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let build = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/host/build");
    let manifest = format!(
        "[package]\nname = \"mixed\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[build-dependencies]\npydd-build = {{ path = {build:?} }}\n\n[workspace]\n"
    );
    write("Cargo.toml", &manifest);
    write(
        "build.rs",
        "fn main() {\n    pydd_build::Build::new().option(\"-O1\").compile(\"src/kernels.pydd\");\n}\n",
    );
    write(
        "src/main.rs",
        "include!(concat!(env!(\"OUT_DIR\"), \"/kernels.rs\"));\n\nfn main() {\n    println!(\"{:?}\", kernels::twice(&[1.5]).unwrap().to_vec());\n}\n",
    );
    let kernel = "def twice(x: Array(float64, 1)) -> Array(float64, 1):\n    return x + x\n";
    write(
        "src/kernels.pydd",
        &format!("{kernel}\n\ndef size(d: Dict(int64, int64)) -> int:\n    return len(d)\n"),
    );
    let mut run_it = cargo(folder.path());
    run_it.args(["run", "--offline"]).env("PYDDC", env!("CARGO_BIN_EXE_pyddc"));
    let output = run(&mut run_it);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "[3.0]\n");
    assert!(
        String::from_utf8(output.stderr).unwrap().contains("size() is left out: its parameter `d` is a dict")
    );
    // By itself, as a program is shipped.
    let shipped = Command::new(folder.path().join("target/debug/mixed")).output().unwrap();
    assert_eq!(String::from_utf8(shipped.stdout).unwrap(), "[3.0]\n");

    write("src/kernels.pydd", &kernel.replace("x + x", "x + y"));
    let wrong = run_it.output().unwrap();
    let told = String::from_utf8(wrong.stderr).unwrap();
    assert!(!wrong.status.success() && told.contains("error[undefined-name]"), "{told}");
}
