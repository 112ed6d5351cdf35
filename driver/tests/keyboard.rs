//! The commands for work at the keyboard: check, new, watch, completions and the manual page.

mod support;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use support::Folder;

const GOOD: &str = "def f(x: float64) -> float64:\n    return x + 1.0\n";
const WRONG: &str = "def f(x: float64) -> float64:\n    return x + z\n";
/// Refused by a pass, not by the frontend.
const RACE: &str =
    "def f(a: Array(float64, 1)):\n    pfor i in range(len(a) - 1):\n        a[i] = a[i + 1]\n";
/// Compiles, with a remark of a pass.
const UNDECIDED: &str = "\
def f(a: Array(float64, 1), p: Array(int64, 1)):
    pfor i in range(len(a)):
        a[p[i]] = a[i]
";

#[test]
fn check_says_what_compiling_would() {
    let folder = Folder::new(&[
        ("good.pydd", GOOD),
        ("my-kernel.pydd", GOOD),
        ("wrong.pydd", WRONG),
        ("race.pydd", RACE),
        ("undecided.pydd", UNDECIDED),
        ("bytes.pydd", ""),
    ]);
    std::fs::write(folder.path("bytes.pydd"), b"x = \xff\n").unwrap();
    let before = folder.names("");
    for (name, code) in
        [("good", 0), ("my-kernel", 0), ("wrong", 1), ("race", 1), ("undecided", 0), ("bytes", 1)]
    {
        let file = format!("{name}.pydd");
        let checked = folder.run(&["check", &file]).ends_with(code);
        let output = folder.path("out.abi3.so");
        let compiled = folder.run(&[file.as_str(), "-o", output.to_str().unwrap()]).ends_with(code);
        assert_eq!(checked.err(), compiled.err(), "{name}");
        let _ = std::fs::remove_file(output);
    }
    assert_eq!(folder.names(""), before, "no module is made");
    folder
        .run(&["check", "good.pydd", "wrong.pydd", "missing.pydd"])
        .ends_with(2)
        .says("`z`")
        .says("missing.pydd");
    folder.run(&["check", "--strict", "undecided.pydd"]).ends_with(1).says("remark[pfor-undecided]");
    folder.run(&["check", "--strict", "good.pydd"]).ends_with(0);
    folder.run(&["check"]).ends_with(2).says("FILE");
    folder.run(&["check", "a.pir"]).ends_with(2).says("pyddc opt --check a.pir");
    let json = folder.run(&["check", "--message-format=json", "race.pydd"]).ends_with(1).err();
    let value: serde_json::Value = serde_json::from_str(json.trim()).unwrap();
    assert_eq!(value["code"], "pfor-race");
}

#[test]
fn a_new_project_compiles_and_nothing_is_written_over() {
    let folder = Folder::new(&[("full/notes.txt", "mine"), ("empty/inside/.keep", ""), ("file", "")]);
    folder.run(&["new", "first"]).ends_with(0).says("first/main.py");
    let files = [".gitignore", "kernels.pydd", "main.py", "pyproject.toml", "test_kernels.py"];
    assert_eq!(folder.names("first"), files);
    folder.run(&["check", "--strict", "first/kernels.pydd"]).ends_with(0);
    folder.run_in("first", &["kernels.pydd"]).ends_with(0);
    std::fs::write(folder.path("first/main.py"), "changed").unwrap();
    folder.run(&["new", "first"]).ends_with(2).says("first is there already");
    assert_eq!(folder.bytes("first/main.py"), b"changed");
    folder.run(&["new", "full"]).ends_with(2);
    folder.run(&["new", "file"]).ends_with(2).says("file is there already");
    folder.run(&["new", "no/such/place"]).ends_with(2).says("cannot make the folder no/such/place");
    std::fs::remove_dir_all(folder.path("empty/inside")).unwrap();
    folder.run(&["new", "empty"]).ends_with(0);
    assert_eq!(folder.names("full"), ["notes.txt"]);
}

/// `pyddc watch` and the lines that it writes.
struct Watcher {
    child: Child,
    lines: Receiver<String>,
}

impl Watcher {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        // A test that runs in the background may have Ctrl-C turned off, and so would its children.
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_pyddc")]);
        command.current_dir(folder.path("")).arg("watch").args(arguments).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let errors = child.stderr.take().unwrap();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            BufReader::new(errors).lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)));
        });
        Self { child, lines }
    }

    /// Waits for a line with a part.
    #[track_caller]
    fn says(&self, part: &str) {
        let mut seen = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(Duration::from_secs(20)) {
            if line.contains(part) {
                return;
            }
            seen.push(line);
        }
        panic!("no {part:?} in {seen:?}");
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn watch_compiles_what_has_changed() {
    let folder = Folder::new(&[("a.pydd", GOOD), ("b.pydd", GOOD)]);
    let mut watcher = Watcher::start(&folder, &["a.pydd", "b.pydd", "-O0"]);
    watcher.says("a.pydd: compiled in ");
    watcher.says("b.pydd: compiled in ");
    let first = folder.bytes("b.abi3.so");
    std::fs::write(folder.path("b.pydd"), GOOD.replace("1.0", "2.5")).unwrap();
    watcher.says("b.pydd: compiled in ");
    assert_ne!(folder.bytes("b.abi3.so"), first);
    std::fs::write(folder.path("a.pydd"), WRONG).unwrap();
    watcher.says("error[undefined-name]");
    watcher.says("a.pydd: 1 error");
    // As editors do it: another file takes its place.
    std::fs::remove_file(folder.path("a.pydd")).unwrap();
    std::fs::write(folder.path("new"), GOOD).unwrap();
    std::fs::rename(folder.path("new"), folder.path("a.pydd")).unwrap();
    watcher.says("a.pydd: compiled in ");
    assert!(watcher.lines.try_recv().is_err(), "b.pydd has not changed");
    let pid = watcher.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    use std::os::unix::process::ExitStatusExt;
    // A shell calls that 130.
    assert_eq!(watcher.child.wait().unwrap().signal(), Some(2));
    folder.run(&["watch", "missing.pydd"]).ends_with(2).says("cannot read missing.pydd");
    folder.run(&["watch"]).ends_with(2).says("no input file");
}

#[test]
fn shells_and_man_know_the_command() {
    let folder = Folder::new(&[]);
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.run(&["completions", shell]).ends_with(0).out();
        for part in ["pyddc", "explain", "auto-parallel", "cranelift"] {
            assert!(script.contains(part), "{shell}: {part}");
        }
    }
    folder.run(&["completions", "tcsh"]).ends_with(2).says("possible values");
    let page = folder.run(&["man"]).ends_with(0).out();
    for part in [".TH pyddc 1", "\\-\\-emit", "PYDDC WATCH", "\\-\\-strict", "Exit codes"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn a_project_says_how_its_files_are_compiled() {
    let folder = Folder::new(&[
        (
            "pyproject.toml",
            "[tool.pydd]\nopt-level = 0\ncpu = \"x86-64\"\nsources = [\"k.pydd\"]\nwraps = []\n",
        ),
        ("k.pydd", GOOD),
        ("inner/k.pydd", GOOD),
        ("inner/pyproject.toml", "[project]\nname = \"inner\"\n"),
        ("own/k.pydd", GOOD),
        ("own/pyproject.toml", "[tool.pydd]\nflags = [\"--strict-fp\"]\n"),
    ]);
    let text = |name: &str, arguments: &[&str]| {
        let all: Vec<&str> = [&[name, "--emit=asm"], arguments].concat();
        folder.run(&all).ends_with(0).out()
    };
    let plain = |arguments: &[&str]| text("k.pydd", &[&["--no-config"], arguments].concat());
    let set = plain(&["-O0", "--cpu=x86-64"]);
    assert_ne!(set, plain(&[]));
    assert_eq!(text("k.pydd", &[]), set);
    assert_eq!(text("inner/k.pydd", &[]), set, "a file without the table is passed over");
    assert_eq!(text("own/k.pydd", &[]), text("own/k.pydd", &["--no-config", "--strict-fp"]));
    // The command line comes first.
    assert_eq!(text("k.pydd", &["-O2"]), plain(&["-O2", "--cpu=x86-64"]));
    assert_eq!(text("k.pydd", &["--cpu=native", "-O3"]), plain(&[]));
    folder.run(&["own/k.pydd", "--fast-math"]).ends_with(0);
    for (table, part) in [
        (
            "[tool.pydd]\nopt-levle = 1\n",
            "pyproject.toml: [tool.pydd] has no key `opt-levle`; did you mean `opt-level`?",
        ),
        ("[tool.pydd]\nopt-level = 7\n", "`opt-level` must be 0, 1, 2 or 3"),
        ("[tool.pydd]\ncpu = 3\n", "`cpu` must be a text"),
        ("[tool.pydd]\ncpu = \"no-such\"\n", "no-such"),
        ("[tool.pydd]\nflags = \"-g\"\n", "`flags` must be a list"),
        (
            "[tool.pydd]\nflags = [\"--strict-pf\"]\n",
            "may not have `--strict-pf`; did you mean `--strict-fp`?",
        ),
        ("[tool.pydd]\nflags = [\"--strict-fp\", \"--fast-math\"]\n", "has both --strict-fp and --fast-math"),
        ("tool.pydd = 1\n", "`tool.pydd` must be a table"),
        ("[project]\n\nname = \n", "pyproject.toml:3: "),
    ] {
        std::fs::write(folder.path("pyproject.toml"), table).unwrap();
        folder.run(&["k.pydd"]).ends_with(2).says(part);
        folder.run(&["k.pydd", "--no-config"]).ends_with(0);
    }
    // What Python puts together of parts of files belongs to the project of these.
    std::fs::write(folder.path("pyproject.toml"), "[tool.pydd]\nno = 1\n").unwrap();
    let elsewhere = |file: &str| {
        let other =
            Folder::new(&[("k.pydd", &format!("#pydd:part {{\"file\": {file:?}, \"line\": 1}}\n{GOOD}"))]);
        other.run(&["k.pydd"])
    };
    elsewhere(folder.path("kernels.py").to_str().unwrap()).ends_with(2).says("has no key `no`");
    elsewhere("In[5]").ends_with(0);
}
