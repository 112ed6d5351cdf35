//! The command as its users run it.

mod support;

use std::ffi::OsStr;
use std::process::Command;
use support::{Folder, Run};

const GOOD: &str = "\
def scale(a: Array(float64, 2), x: float64) -> Array(float64, 2):
    out = a * 0.0
    for i in range(a.shape[0]):
        out[i, :] = a[i, :] * (x + 1.0)
    return out
";

const WRONG: &str = "def f(x: float64) -> float64:\n    y = x + z\n    return y * w\n";

fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF")
}

#[test]
fn a_module_stands_beside_its_source() {
    let folder = Folder::new(&[("k.pydd", GOOD), ("ref/abs.pydd", GOOD)]);
    let run = folder.run(&["k.pydd", "ref/abs.pydd"]).ends_with(0);
    assert_eq!((run.out().as_str(), run.err().as_str()), ("", ""));
    assert_eq!(folder.names(""), ["k.abi3.so", "k.pydd", "ref"]);
    assert_eq!(folder.names("ref"), ["abs.abi3.so", "abs.pydd"]);
    let module = folder.bytes("ref/abs.abi3.so");
    assert!(is_elf(&module));
    assert!(module.windows(11).any(|part| part == b"PyInit_abs\0"));
}

#[test]
fn output_is_a_file_or_a_folder() {
    let folder = Folder::new(&[("k.pydd", GOOD), ("l.pydd", GOOD), ("out/.keep", "")]);
    folder.run(&["k.pydd", "-o", "out"]).ends_with(0);
    folder.run(&["k.pydd", "-o", "out/other.abi3.so"]).ends_with(0);
    folder.run(&["k.pydd", "l.pydd", "--output", "out/"]).ends_with(0);
    assert_eq!(folder.names("out"), [".keep", "k.abi3.so", "l.abi3.so", "other.abi3.so"]);
    assert!(folder.bytes("out/other.abi3.so").windows(13).any(|part| part == b"PyInit_other\0"));
    assert_eq!(folder.names(""), ["k.pydd", "l.pydd", "out"]);
    folder.run(&["k.pydd", "l.pydd", "-o", "one.so"]).ends_with(2).says("must be a folder");
    folder.run(&["k.pydd", "out/../k.pydd", "-o", "out"]).ends_with(2).says("would both be written to");
}

#[test]
fn a_source_is_not_written_over() {
    let folder = Folder::new(&[("k.pydd", GOOD)]);
    std::os::unix::fs::symlink("k.pydd", folder.path("link.abi3.so")).unwrap();
    for arguments in [
        &["k.pydd", "-o", "k.pydd"][..],
        &["k.pydd", "-o", "link.abi3.so"],
        &["k.pydd", "--depfile", "./k.pydd"],
        &["k.pydd", "--emit=ir", "-o", "k.pydd"],
    ] {
        folder.run(arguments).ends_with(2).says("is a source file: it would be written over");
    }
    assert_eq!(folder.bytes("k.pydd"), GOOD.as_bytes());
}

#[test]
fn a_depfile_is_a_rule_for_make() {
    let folder = Folder::new(&[("a b.pydd", GOOD), ("wrong.pydd", WRONG), ("out/.keep", "")]);
    folder.run(&["a b.pydd", "-o", "out/k.abi3.so", "--depfile", "out/k.d"]).ends_with(0);
    assert_eq!(folder.bytes("out/k.d"), b"out/k.abi3.so: a\\ b.pydd\n");
    folder.run(&["a b.pydd", "--emit=pyi", "-o", "out/k.pyi", "--depfile=out/pyi.d"]).ends_with(0);
    assert_eq!(folder.bytes("out/pyi.d"), b"out/k.pyi: a\\ b.pydd\n");
    std::fs::write(folder.path("perf.txt"), "").unwrap();
    let with_samples =
        ["a b.pydd", "-o", "out/k.abi3.so", "--depfile=out/k.d", "--report=r.html", "--perf=perf.txt"];
    folder.run(&with_samples).ends_with(0);
    assert_eq!(folder.bytes("out/k.d"), b"out/k.abi3.so: a\\ b.pydd \\\n  perf.txt\n");

    folder.run(&["wrong.pydd", "--depfile", "wrong.d"]).ends_with(1);
    folder.run(&["a b.pydd", "--emit=ir", "--depfile", "ir.d"]).ends_with(2).says("say -o FILE");
    folder
        .run(&["a b.pydd", "wrong.pydd", "-o", "out", "--depfile=x.d"])
        .ends_with(2)
        .says("one source file");
    folder.run(&["wrong.pydd", "-o", "out", "--depfile=no/such/folder.d"]).ends_with(1);
    folder
        .run(&["a b.pydd", "-o", "out/k.abi3.so", "--depfile=no/such/folder.d"])
        .ends_with(2)
        .says("no/such/folder.d");
    assert_eq!(folder.names(""), ["a b.pydd", "out", "perf.txt", "r.html", "wrong.pydd"]);
}

#[test]
fn a_wrong_program_makes_no_module() {
    let folder = Folder::new(&[("k.pydd", WRONG), ("good.pydd", GOOD)]);
    let run =
        folder.run(&["k.pydd", "good.pydd"]).ends_with(1).says("error[undefined-name]: name `z`").says("`w`");
    assert!(run.err().contains("k.pydd: 2 errors"), "{}", run.err());
    assert_eq!(folder.names(""), ["good.abi3.so", "good.pydd", "k.pydd"], "what is right is compiled");
}

#[test]
fn wrong_usage() {
    let folder = Folder::new(&[("k.pydd", GOOD)]);
    std::os::unix::fs::symlink("k.pydd", folder.path("alias.so")).unwrap();
    for (arguments, part) in [
        (&["--no-such-option", "k.pydd"][..], "--no-such-option"),
        (&["missing.pydd"], "cannot read missing.pydd"),
        (&["."], "cannot read ."),
        (&[], "Usage"),
        (&["-O4", "k.pydd"], "4"),
        (&["--emit=nothing", "k.pydd"], "nothing"),
        (&["--cpu=no-such-cpu", "k.pydd"], "no-such-cpu"),
        (&["--strict-fp", "--fast-math", "k.pydd"], "--fast-math"),
        (&["--print-after=licn", "k.pydd"], "did you mean `licm`?"),
        (&["k.pydd", "-o", "no/such/folder/"], "there is no folder no/such/folder/"),
        (&["k.pydd", "-o", "no/such/folder/k.so"], "cannot write no/such/folder/k.so"),
        (&["opt", "missing.pir"], "cannot read missing.pir"),
        (&["opt", "--pass", "lic", "k.pydd"], "did you mean `licm`?"),
        (&["opt"], "FILE"),
        (&["k.pydd", "-o", "k.pydd"], "k.pydd is a source file"),
        (&["k.pydd", "-o", "./alias.so"], "alias.so is a source file"),
        (&["k.pydd", "--report=alias.so"], "alias.so is a source file"),
    ] {
        folder.run(arguments).ends_with(2).says(part);
    }
    assert_eq!(folder.names(""), ["alias.so", "k.pydd"], "nothing half-written");
    assert_eq!(folder.bytes("k.pydd"), GOOD.as_bytes());
}

#[test]
fn a_target_that_cannot_be_replaced() {
    let folder = Folder::new(&[("k.pydd", GOOD), ("k.abi3.so/inside", "")]);
    folder.run(&["k.pydd"]).ends_with(2).says("cannot write k.abi3.so");
    assert_eq!(folder.names(""), ["k.abi3.so", "k.pydd"]);
}

#[test]
fn names_that_python_cannot_import() {
    let folder = Folder::new(&[("my-kernel.pydd", GOOD), ("class.pydd", GOOD)]);
    folder
        .run(&["my-kernel.pydd"])
        .ends_with(2)
        .says("`my-kernel` is not a Python identifier")
        .says("my_kernel");
    folder.run(&["class.pydd"]).ends_with(2).says("`class` is a keyword");
    folder.run(&["my-kernel.pydd", "-o", "my_kernel.abi3.so"]).ends_with(0);
    folder.run(&["my-kernel.pydd", "--emit=ir"]).ends_with(0);
    assert!(is_elf(&folder.bytes("my_kernel.abi3.so")));
}

#[cfg(unix)]
#[test]
fn paths_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new(&[]);
    let inside = folder.path(OsStr::from_bytes(b"fol\xffder"));
    std::fs::create_dir(&inside).unwrap();
    std::fs::write(inside.join("k.pydd"), GOOD).unwrap();
    std::fs::write(inside.join(OsStr::from_bytes(b"\xff.pydd")), GOOD).unwrap();
    folder.run(&[OsStr::from_bytes(b"fol\xffder/k.pydd")]).ends_with(0);
    assert!(is_elf(&std::fs::read(inside.join("k.abi3.so")).unwrap()));
    folder.run(&[OsStr::from_bytes(b"fol\xffder/\xff.pydd")]).ends_with(2).says("is not ASCII");
}

#[test]
fn every_stage_is_visible() {
    let folder = Folder::new(&[("k.pydd", GOOD)]);
    for (stage, part) in [
        ("tokens", "scale"),
        ("ast", "scale"),
        ("types", "export def scale(a: Array(float64, 2), x: float64)"),
        ("ir", "func @scale array"),
        ("ir-opt", " array fast "),
        ("loops", " loop fast "),
        ("llvm", "PyInit_k"),
        ("asm", "PyInit_k:"),
    ] {
        let emit = format!("--emit={stage}");
        let run = folder.run(&["k.pydd", &emit]).ends_with(0);
        assert!(run.out().contains(part), "{stage}: {}", run.out());
        assert_eq!(run.err(), "", "{stage}");
        folder.run(&["k.pydd", &emit, "-o", "text"]).ends_with(0);
        assert_eq!(String::from_utf8_lossy(&folder.bytes("text")), run.out(), "{stage}");
    }
    std::fs::remove_file(folder.path("text")).unwrap();
    folder.run(&["k.pydd", "--emit=obj"]).ends_with(0);
    assert!(is_elf(&folder.bytes("k.o")));
    assert_eq!(folder.names(""), ["k.o", "k.pydd"]);
}

#[test]
fn early_stages_of_wrong_programs() {
    let folder = Folder::new(&[("k.pydd", WRONG), ("s.pydd", "def f(:\n")]);
    assert!(folder.run(&["k.pydd", "--emit=types"]).ends_with(1).says("error[").out().contains("def f"));
    folder.run(&["k.pydd", "--emit=ast"]).ends_with(0);
    folder.run(&["s.pydd", "--emit=ast"]).ends_with(1).says("error[");
}

#[test]
fn diagnostics_as_json() {
    let folder = Folder::new(&[("k.pydd", WRONG)]);
    let run = folder.run(&["k.pydd", "--message-format=json"]).ends_with(1);
    let lines: Vec<serde_json::Value> =
        run.err().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "{}", run.err());
    assert_eq!(lines[0]["code"], "undefined-name");
    assert_eq!(lines[0]["file"], "k.pydd");
    assert_eq!(lines[0]["spans"][0]["start"]["line"], 2);
}

#[test]
fn colours() {
    let folder = Folder::new(&[("k.pydd", WRONG)]);
    let coloured = |when: &str| folder.run(&["k.pydd", when]).ends_with(1).err().contains('\x1b');
    assert!(coloured("--color=always"));
    assert!(!coloured("--color=never"));
    assert!(!coloured("--color=auto"), "standard error is no terminal");
}

#[test]
fn version_and_help() {
    let folder = Folder::new(&[]);
    let version = folder.run(&["--version"]).ends_with(0).out();
    assert_eq!(version.trim(), format!("pyddc {}", env!("CARGO_PKG_VERSION")));
    let help = folder.run(&["--help"]).ends_with(0).out();
    assert!(help.contains("--emit") && help.contains("Exit codes"));
}

#[test]
fn explanations() {
    let folder = Folder::new(&[]);
    assert!(folder.run(&["explain", "undefined-name"]).ends_with(0).out().starts_with("# undefined-name\n"));
    assert!(
        folder
            .run(&["explain", "error[undefined-name]"])
            .ends_with(0)
            .out()
            .starts_with("# undefined-name\n")
    );
    folder.run(&["explain", "undefined-nam"]).ends_with(2).says("did you mean `undefined-name`?");
    folder.run(&["explain", "zzz"]).ends_with(2).says("there is no diagnostic or library function `zzz`");
    assert!(folder.run(&["explain", "np.sum"]).ends_with(0).out().contains("`np.sum(a, axis=None"));
    folder.run(&["explain", "np.summ"]).ends_with(2).says("did you mean `np.sum`?");
    assert!(folder.run(&["explain", "library"]).ends_with(0).out().starts_with("# Library\n"));
    let lines = folder.run(&["explain", "library", "--json"]).ends_with(0).out();
    let sum = lines.lines().find(|line| line.contains(r#""np.sum""#)).expect("np.sum is in the catalogue");
    assert!(sum.starts_with('{') && sum.contains(r#""name":"keepdims""#), "{sum}");
    let all = folder.run(&["explain"]).ends_with(0).out();
    assert!(all.lines().count() > 50 && all.lines().any(|line| line == "pfor-carried"));
}

const CASE: &str = "\
; pass: dce
; count: mul = 0
; run: @f(2.0) = 4.0
module \"m\" file \"m.pydd\"

func @f array (%0: f64) -> (f64) {
  %1: f64 = mul %0, %0
  %2: f64 = add %0, %0
  return %2
}
";

#[test]
fn passes_alone() {
    let bad = CASE.replace("= 4.0", "= 5.0").replace("mul = 0", "add = 0");
    let broken = CASE.replace("add %0, %0", "add %0, %9");
    let folder =
        Folder::new(&[("good.pir", CASE), ("bad.pir", &bad), ("broken.pir", &broken), ("text.pir", "?")]);
    let out = folder.run(&["opt", "--pass", "dce", "good.pir"]).ends_with(0).out();
    assert!(!out.contains("mul") && out.contains("add"), "{out}");
    assert!(folder.run(&["opt", "good.pir"]).ends_with(0).out().contains("mul"), "no pass, no change");
    folder.run(&["opt", "--check", "good.pir"]).ends_with(0).says("good.pir: ok");
    folder
        .run(&["opt", "--check", "good.pir", "bad.pir"])
        .ends_with(1)
        .says("bad.pir: count")
        .says("bad.pir: run");
    folder.run(&["opt", "--pass", "dce", "broken.pir"]).ends_with(1).says("broken.pir:");
    folder.run(&["opt", "--check", "text.pir"]).ends_with(1).says("text.pir:");
}

#[test]
fn ir_text_in_place_of_a_source() {
    let wrong_type = CASE.replace("%2: f64 = add", "%2: f32 = add");
    let folder = Folder::new(&[("k.pydd", GOOD), ("bad.pir", "func ?"), ("rule.pir", &wrong_type)]);
    for stage in ["ir", "loops"] {
        let emit = format!("--emit={stage}");
        let text = folder.run(&["k.pydd", &emit, "-o", "k.pir"]).ends_with(0);
        assert_eq!(text.out(), "");
        folder.run(&["k.pir"]).ends_with(0);
        assert!(is_elf(&folder.bytes("k.abi3.so")), "{stage}");
        std::fs::remove_file(folder.path("k.abi3.so")).unwrap();
        let again = folder.run(&["k.pir", "--emit=loops"]).ends_with(0).out();
        assert_eq!(again, folder.run(&["k.pydd", "--emit=loops"]).out(), "{stage}");
    }
    folder.run(&["bad.pir"]).ends_with(1).says("bad.pir:1:");
    folder.run(&["rule.pir"]).ends_with(1).says("rule.pir:");
    folder.run(&["k.pir", "--emit=ast"]).ends_with(2).says("is IR text");
}

#[test]
fn watching_passes() {
    let folder = Folder::new(&[("k.pydd", GOOD)]);
    let run = folder.run(&["k.pydd", "--print-after=licm", "--time-passes", "-v", "--verify"]).ends_with(0);
    assert!(run.out().contains("; after licm\n") && run.out().contains("func @scale"), "{}", run.out());
    assert_eq!(run.out().matches("; after ").count(), 1);
    let err = run.err();
    for part in [" ms  licm\n", " ms  lower\n", "frontend of k.pydd done", "linker of k.pydd done"] {
        assert!(err.contains(part), "no {part:?} in {err}");
    }
    let timed = |option: &str| folder.run(&["k.pydd", "--time-passes", option]).ends_with(0).err();
    assert!(!timed("--opt-bisect=0").contains("licm"));
    assert!(timed("--opt-bisect=0").contains("lower"));
    assert!(!timed("-O0").contains("licm"));
}

#[test]
fn backends_are_chosen() {
    let folder = Folder::new(&[("k.pydd", GOOD)]);
    let text = |arguments: &[&str]| {
        let arguments = [&["k.pydd", "--color=never"], arguments].concat();
        folder.run(&arguments).ends_with(0).out()
    };
    // Cranelift's assembly names its functions in comments.
    let of_cranelift = |text: String| text.starts_with("; pydd.");
    assert!(of_cranelift(text(&["--emit=asm", "-O0"])));
    assert!(!of_cranelift(text(&["--emit=asm"])));
    assert!(!of_cranelift(text(&["--emit=asm", "-O0", "--backend=llvm"])));
    assert!(of_cranelift(text(&["--emit=asm", "--backend=cranelift"])));
    assert!(text(&["--emit=clif"]).contains("\nfunction "));
    assert!(text(&["--emit=llvm", "-O0"]).contains("\ndefine "));
    folder.run(&["k.pydd", "--emit=llvm", "--backend=cranelift"]).ends_with(2).says("another backend");
    folder.run(&["k.pydd", "--backend=gcc"]).ends_with(2).says("cranelift");
    for options in [&["-O0"][..], &["--backend=cranelift", "--cpu=generic"]] {
        folder.run(&[&["k.pydd"], options].concat()).ends_with(0);
        let first = folder.bytes("k.abi3.so");
        assert!(is_elf(&first));
        folder.run(&[&["k.pydd"], options].concat()).ends_with(0);
        assert_eq!(folder.bytes("k.abi3.so"), first);
    }
}

#[test]
fn the_same_source_gives_the_same_bytes() {
    let folder = Folder::new(&[("a/k.pydd", GOOD), ("b/k.pydd", GOOD)]);
    folder.run_in("a", &["k.pydd"]).ends_with(0);
    let first = folder.bytes("a/k.abi3.so");
    folder.run_in("a", &["k.pydd", "-o", "../k.abi3.so"]).ends_with(0);
    folder.run_in("b", &["k.pydd"]).ends_with(0);
    assert!(first == folder.bytes("k.abi3.so"), "another output folder");
    assert!(first == folder.bytes("b/k.abi3.so"), "another working folder");
}

#[test]
fn a_reader_that_goes_away() {
    let folder = Folder::new(&[("k.pydd", GOOD)]);
    for arguments in [&["k.pydd", "--emit=asm"][..], &["explain"], &["k.pydd", "--print-after=dce"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pyddc"));
        command.current_dir(folder.path("")).args(arguments).stdout(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn deep_and_long_sources_end_soon() {
    let head = "def f(x: float64) -> float64:\n    return";
    let n = 100_000;
    let body = |text: String| format!("{head} {text}\n");
    let sources = [
        ("parentheses", body(format!("{}x{}", "(".repeat(n), ")".repeat(n)))),
        ("unclosed", body("(".repeat(n))),
        ("sum", body(format!("x{}", " + x".repeat(n)))),
        ("deepest", body(format!("x{}", " + x".repeat(2900)))),
        ("and", body(format!("1.0 if x > 0.0{} else x", " and x > 1.0".repeat(2900)))),
        ("conditional", body(format!("{}x", "x if x > 1.0 else ".repeat(900)))),
        ("minus", body(format!("{}x", "-".repeat(2900)))),
    ];
    for (name, text) in &sources {
        let folder = Folder::new(&[("k.pydd", text)]);
        // What is not linear takes minutes, and is ended after twenty seconds of processor time.
        let mut command = Command::new("/bin/sh");
        command.args(["-c", r#"ulimit -t 20; exec "$0" "$@""#, env!("CARGO_BIN_EXE_pyddc")]);
        command.current_dir(folder.path("")).args(["k.pydd", "--emit=loops", "-o", "k.pir"]);
        let run = Run(command.output().unwrap());
        let code = run.0.status.code();
        assert!(
            code == Some(0) || (code == Some(1) && run.err().contains("error[")),
            "{name}: {code:?} {}",
            run.err()
        );
    }
}
const GATHER: &str = "\
def f(a: Array(float64, 1), b: Array(float64, 1), order: Array(int64, 1)) -> float64:
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    for i in range(len(order)):
        s += a[order[i]]
    return s
";

#[test]
fn report_names_checks_that_stay_and_loops_compiled_twice() {
    let folder = Folder::new(&[("g.pydd", GATHER)]);
    let run = folder.run(&["g.pydd", "--report"]);
    assert_eq!(run.0.status.code(), Some(0));
    let text = String::from_utf8_lossy(&run.0.stderr);
    assert_eq!(text.matches("remark[loop-versioned]: ").count(), 1, "{text}");
    assert_eq!(text.matches("remark[loop-check]: ").count(), 1, "{text}");
    assert!(text.contains("g.pydd:6:") && text.contains("it is data"), "{text}");
    assert!(folder.run(&["g.pydd"]).0.stderr.is_empty());
}

/// What proves a `pfor` drops functions that nothing calls; those that are called later on stay.
#[test]
fn products_are_masked_beside_a_parallel_loop() {
    let source = "import numpy as np\n\n\
        def triangles(A: SparseMat(float64)) -> float:\n    return (A @ A).multiply(A).sum() / 6\n\n\
        def fill(x: Array(float64, 1)):\n    pfor i in range(len(x)):\n        x[i] = 1.0\n";
    let folder = Folder::new(&[("g.pydd", source)]);
    let text = folder.run(&["g.pydd", "--report"]).ends_with(0).err();
    assert_eq!(text.matches("remark[product-masked]: ").count(), 1, "{text}");
}

#[test]
fn report_as_json_has_places() {
    let folder = Folder::new(&[("g.pydd", GATHER)]);
    let run = folder.run(&["g.pydd", "--report", "--message-format=json"]);
    let text = String::from_utf8_lossy(&run.0.stderr);
    assert!(text.lines().all(|line| line.starts_with('{') && line.ends_with('}')), "{text}");
    let checks: Vec<&str> = text.lines().filter(|line| line.contains(r#""code":"loop-check""#)).collect();
    assert_eq!(checks.len(), 1, "{text}");
    assert!(checks[0].contains(r#""severity":"remark""#) && checks[0].contains(r#""line":6"#), "{text}");
}

const POINTS: &str = "\
import numpy as np

def pull(points: Array(float64, 2), mass: Array(float64, 1)) -> Array(float64, 2):
    d = points[None, :, :] - points[:, None, :]
    square = (d * d).sum(axis=2) + 1e-9
    weight = mass * square ** -1.5
    return (d * weight[:, :, None]).sum(axis=1)

def decay(x: Array(float64, 1), a: float64, b: float64) -> float64:
    s = 0.0
    for i in range(len(x)):
        s = a * s + x[i]
    t = 0.0
    for i in range(len(x)):
        t += x[i] * x[i]
    return s + t

def masses(a: Array(float64, 2), b: Array(float64, 2), out: Array(float64, 1)):
    for i in range(len(out)):
        c = np.exp(a) @ b
        out[i] = c[0, 0] * i

def sampled(c: SparseMat(float64), a: Array(float64, 2), b: Array(float64, 2)):
    return c.multiply(a @ b).tocsr(), c.multiply(b @ a).tocsr()
";

/// The remarks with a code, each on one line of its own: the headline and the line of the source.
fn remarks(text: &str, code: &str) -> Vec<String> {
    let head = format!("remark[{code}]: ");
    let mut lines = text.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(message) = line.strip_prefix(&head) {
            let place = lines.next().unwrap_or_default();
            let number = place.split(':').nth(1).unwrap_or_default();
            found.push(format!("{number}: {message}"));
        }
    }
    found
}

#[test]
fn report_says_what_became_of_arrays_and_loops() {
    let folder = Folder::new(&[("p.pydd", POINTS)]);
    let text = folder.run(&["p.pydd", "--report", "--cpu=x86-64-v3"]).ends_with(0).err();
    let said = |code: &str, expected: &[&str]| assert_eq!(remarks(&text, code), expected, "{code}\n{text}");
    said("loops-joined", &["4: the 5 loops of lines 4, 5, 6 and 7 are one"]);
    said("short-axis", &["7: there is code of its own for 2, 3 and 4 along the last axis of `points`"]);
    said("product-sampled", &["24: this product is computed only where the sparse matrix has entries"; 2]);
    said("moved-out-of-loop", &["20: `exp` and `@` are computed once, before the loop"]);
    said("loop-not-vectorized", &["11: this loop is not vectorised"]);
    let fused = remarks(&text, "operations-fused");
    assert!(
        fused.contains(
            &"6: 3 operations (`+`, `**` and `*`) are one loop, without arrays between them".to_owned()
        ),
        "{text}"
    );
    let registers = remarks(&text, "array-in-registers");
    assert!(
        registers.contains(&"4: `d` is never stored: 3 elements at a time, in registers".to_owned()),
        "{text}"
    );
    let vectorized = remarks(&text, "loop-vectorized");
    assert!(vectorized.contains(&"14: this loop is vectorised: 4 elements at a time".to_owned()), "{text}");
    let allocations = remarks(&text, "allocations");
    assert!(allocations.contains(&"3: `pull` makes 2 arrays; as it is written, 8".to_owned()), "{text}");
    assert!(text.contains("no sum, product, minimum or maximum"), "{text}");
}

#[test]
fn versions_and_copies_of_loops_are_spoken_of_once() {
    let folder = Folder::new(&[("p.pydd", POINTS)]);
    let text = folder.run(&["p.pydd", "--report"]).ends_with(0).err();
    let mut heads: Vec<(&str, &str)> = text
        .lines()
        .zip(text.lines().skip(1))
        .filter(|(head, _)| head.starts_with("remark["))
        .map(|(head, place)| (head.split(']').next().unwrap_or_default(), place))
        .collect();
    let all = heads.len();
    heads.sort_unstable();
    heads.dedup();
    assert!(all > 10 && heads.len() == all, "{text}");
}

/// Whether all elements of a page are closed, in order.
fn check_nesting(page: &str) {
    let mut open: Vec<String> = Vec::new();
    for part in page.split('<').skip(1) {
        let (tag, _) = part.split_once('>').unwrap_or_else(|| panic!("<{part} has no end"));
        let name: String = tag.chars().take_while(|c| !c.is_whitespace()).collect();
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "before <{part}");
        } else if !(tag.starts_with('!') || tag.ends_with('/')) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?} are open");
}

#[test]
fn asking_for_a_report_changes_nothing_else() {
    let folder = Folder::new(&[("p.pydd", POINTS), ("told/.keep", "")]);
    folder.run(&["p.pydd"]).ends_with(0);
    folder.run(&["p.pydd", "--report", "-o", "told"]).ends_with(0);
    assert!(folder.bytes("p.abi3.so") == folder.bytes("told/p.abi3.so"), "the modules differ");
}

#[test]
fn report_as_a_page() {
    let folder = Folder::new(&[("p.pydd", POINTS)]);
    let run = folder.run(&["p.pydd", "--report=p.html"]).ends_with(0);
    assert_eq!(run.err(), "");
    assert_eq!(folder.names(""), ["p.abi3.so", "p.html", "p.pydd"]);
    let page = String::from_utf8(folder.bytes("p.html")).unwrap();
    check_nesting(&page);
    for badge in
        ["fused", "joined", "sampled", "hoisted", "not vectorised", "in registers", "2 arrays, not 8"]
    {
        assert!(page.contains(&format!(">{badge}</span>")), "no badge {badge:?}");
    }
    assert!(page.contains("<svg") && page.contains("class=\"passed\""));
    assert!(page.contains("prefers-color-scheme: dark"));
    for outside in ["http:", "https:", "<script", "<link", "url(/", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("class=\"number\"").count(), POINTS.lines().count() + 1);
    folder.run(&["p.pydd", "q.pydd", "--report=p.html"]).ends_with(2).says("one source file");
    folder.run(&["p.pydd", "--report=no/p.html"]).ends_with(2).says("cannot write no/p.html");
}

#[test]
fn a_page_shows_samples() {
    let samples = "  7f01 pydd.pull\n  p.pydd:4\n  7f02 pydd.pull\n  p.pydd:4\n  7f02 pydd.pull\n  p.pydd:12\n  7f03 main\n  m.c:4\n";
    let folder = Folder::new(&[("p.pydd", POINTS), ("samples.txt", samples), ("broken.data", "PERFILE2...")]);
    folder.run(&["p.pydd", "--report=p.html", "--perf=samples.txt"]).ends_with(0);
    let page = String::from_utf8(folder.bytes("p.html")).unwrap();
    check_nesting(&page);
    assert!(page.contains("3 of 4 samples are in lines of this file"));
    let row = |line: u32| {
        let start = page.find(&format!("id=\"L{line}\"")).unwrap();
        page[start..].lines().next().unwrap().to_owned()
    };
    assert!(row(4).contains(">67 %<") && row(12).contains(">33 %<") && !row(5).contains(" %<"));
    folder.run(&["p.pydd", "--report=p.html", "--perf=none.txt"]).ends_with(2).says("cannot read none.txt");
    // Whether there is no `perf` or it can't read the file: a message, and no page of nothing.
    folder.run(&["p.pydd", "--report=p.html", "--perf=broken.data"]).ends_with(2).says("--perf: ");
}

#[test]
fn bodies_of_parallel_loops_have_names_for_profilers() {
    const LOOP: &str = "def f(x: Array(float64, 1)):\n    pfor i in range(len(x)):\n        x[i] *= 2.0\n";
    let folder = Folder::new(&[("k.pydd", LOOP)]);
    let name = b"pydd.f.fast.pfor:2\0";
    let has = |folder: &Folder| folder.bytes("k.abi3.so").windows(name.len()).any(|part| part == name);
    folder.run(&["k.pydd"]).ends_with(0);
    assert!(!has(&folder));
    folder.run(&["k.pydd", "-g"]).ends_with(0);
    assert!(has(&folder));
}
