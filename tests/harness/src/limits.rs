//! Hostile sources: each compiles or is refused with a diagnostic, soon, and without a crash. And what a page cannot show, since it takes
//! a long program.

use crate::{compiler, failure};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;

/// Seconds of processor time.
const LIMIT: u32 = 20;

/// A source and whether it is to compile (`None`: either is right).
struct Source {
    name: &'static str,
    text: Vec<u8>,
    compiles: Option<bool>,
}

fn source(name: &'static str, text: impl Into<Vec<u8>>, compiles: impl Into<Option<bool>>) -> Source {
    Source { name, text: text.into(), compiles: compiles.into() }
}

const HEAD: &str = "def f(x: float64) -> float64:\n";

fn sources() -> Vec<Source> {
    let n = 100_000;
    let nested =
        |open: &str, close: &str| format!("{HEAD}    return {}x{}\n", open.repeat(n), close.repeat(n));
    let blocks: String = (0..n / 10).map(|i| format!("{}if x > 0.0:\n", " ".repeat(i + 1))).collect();
    vec![
        source("nested_parentheses", nested("(", ")"), None),
        source("unclosed_parentheses", nested("(", ""), false),
        source("nested_brackets", nested("[", "]"), false),
        source("nested_minus", nested("-", ""), None),
        source("nested_not", nested("not ", ""), None),
        source("nested_calls", nested("abs(", ")"), None),
        source("long_sum", format!("{HEAD}    return x{}\n", " + x".repeat(n)), None),
        source("long_product", format!("{HEAD}    return x{}\n", " * x".repeat(n)), None),
        source("long_power", format!("{HEAD}    return x{}\n", " ** x".repeat(n)), None),
        source(
            "long_comparison",
            format!("def f(x: float64) -> bool:\n    return x{}\n", " < x".repeat(n)),
            None,
        ),
        source("long_and", format!("def f(x: bool) -> bool:\n    return x{}\n", " and x".repeat(n)), None),
        source("long_conditional", format!("{HEAD}    return {}x\n", "x if x > 0.0 else ".repeat(n)), None),
        source("long_subscripts", format!("{HEAD}    return x{}\n", "[0]".repeat(n)), false),
        source("long_attributes", format!("{HEAD}    return x{}\n", ".T".repeat(n)), false),
        source("nested_blocks", format!("{HEAD}{blocks}{}return x\n", " ".repeat(n / 10 + 1)), None),
        source(
            "many_elifs",
            format!(
                "{HEAD}    if x > 0.0:\n        return x\n{}    return x\n",
                "    elif x > 1.0:\n        return x\n".repeat(n / 50)
            ),
            None,
        ),
        source(
            "many_statements",
            format!("{HEAD}{}    return x\n", "    x = x + 1.0\n".repeat(n / 10)),
            None,
        ),
        source(
            "many_functions",
            (0..2000)
                .map(|i| format!("def f{i}(x: float64) -> float64:\n    return x\n\n\n"))
                .collect::<String>(),
            None,
        ),
        source(
            "long_name",
            format!("def f({0}: float64) -> float64:\n    return {0}\n", "x".repeat(n)),
            None,
        ),
        source("long_line_comment", format!("{HEAD}    return x  # {}\n", "y".repeat(n)), true),
        source("huge_integer", format!("def f() -> int:\n    return {}\n", "9".repeat(n)), false),
        source("huge_float", format!("def f() -> float:\n    return {}.0\n", "9".repeat(n)), None),
        source("unterminated_string", format!("{HEAD}    raise ValueError(\"{}\n", "y".repeat(n)), false),
        source("invalid_utf8", [HEAD.as_bytes(), b"    return x  # \xff\xfe\n"].concat(), false),
        source("nul_byte", [HEAD.as_bytes(), b"    return x\0\n"].concat(), false),
        source("only_newlines", "\n".repeat(n), None),
        source("empty", "", None),
        source(
            "tabs_and_spaces",
            "def f(x: float64) -> float64:\n\tif x > 0.0:\n        return x\n\treturn x\n",
            false,
        ),
        source("carriage_returns", "def f(x: float64) -> float64:\r\n    return x\r\n", true),
        source("byte_order_mark", "\u{feff}def f(x: float64) -> float64:\n    return x\n", true),
        source(
            "endless_template",
            "def g(x):\n    return g((x, x))\n\n\ndef f(x: float64) -> float64:\n    g(x)\n    return x\n",
            false,
        ),
        source(
            "doubling_types",
            format!(
                "def f(x: float64) -> float64:\n    t0 = (x, x)\n{}    return x\n",
                (1..60).map(|i| format!("    t{i} = (t{0}, t{0})\n", i - 1)).collect::<String>()
            ),
            None,
        ),
        // One way for each combination of types would be 3 ** 12 of them.
        source("prints_of_numbers_of_several_types", prints_of_several_types(12), true),
    ]
}

/// A function that prints so many numbers, each of one of three types.
fn prints_of_several_types(count: usize) -> String {
    let lines: String = (0..count)
        .map(|i| {
            format!("    v{i} = -1\n    if n > {i}:\n        v{i} = a[0]\n    elif n < -{i}:\n        v{i} = b[0]\n")
        })
        .collect();
    let names: Vec<String> = (0..count).map(|i| format!("v{i}")).collect();
    format!(
        "def f(a: Array(int8, 1), b: Array(uint16, 1), n: int):\n{lines}    print({0})\n    print(f\"{{{1}}}\")\n",
        names.join(", "),
        names.join("} {")
    )
}

/// A test for each source.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let of_source = |source: Source| {
        let name = format!("limits/{}", source.name);
        Trial::test(name.clone(), move || run(&name, &source)).with_kind("limits")
    };
    let mut trials: Vec<Trial> = sources().into_iter().map(of_source).collect();
    let reports: [(&str, fn(&str) -> Result<(), Failed>); 2] =
        [("limits/less_effort", less_effort), ("limits/doubled_length", doubled_length)];
    trials.extend(reports.map(|(name, run)| Trial::test(name, move || run(name)).with_kind("limits")));
    trials
}

/// What `--report` says of a program that compiles.
fn reported(name: &str, text: &str) -> Result<Vec<Value>, Failed> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    std::fs::write(folder.path().join("kernel.pydd"), text).map_err(|e| e.to_string())?;
    let arguments = ["kernel.pydd", "--report", "--message-format=json"];
    let output = compiler::pyddc_within(LIMIT, folder.path(), &arguments)?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Ok(stderr.lines().filter_map(|line| serde_json::from_str(line).ok()).collect());
    }
    Err(failure(name, &[format!("{}\n{stderr}", output.status)]))
}

/// A function that is too long to be optimised in full is named, and not the short one behind it.
fn less_effort(name: &str) -> Result<(), Failed> {
    let long = format!("{HEAD}{}    return x\n", "    x = x * 0.5 + 1.0\n".repeat(3500));
    let text = format!("{long}\n\ndef g(a: Array(float64, 1)) -> float64:\n    return a.sum()\n");
    let said = reported(name, &text)?;
    let lines: Vec<&Value> = said
        .iter()
        .filter(|remark| remark["code"] == "less-effort")
        .map(|remark| &remark["spans"][0]["start"]["line"])
        .collect();
    if lines == [&Value::from(1)] { Ok(()) } else { Err(failure(name, &[format!("lines {lines:?}")])) }
}

/// A length with more summands than anybody counts.
fn doubled_length(name: &str) -> Result<(), Failed> {
    let doubled = "    m = m + m\n".repeat(60);
    let head = "import numpy as np\n\n\ndef f(n: int64) -> Array(float64, 1):\n    m = n\n";
    let said = reported(name, &format!("{head}{doubled}    return np.zeros(m - m + n)\n"))?;
    let is_told = said.iter().any(|remark| remark["code"] == "allocations");
    if is_told { Ok(()) } else { Err(failure(name, &["no remark on arrays".to_owned()])) }
}

fn run(name: &str, source: &Source) -> Result<(), Failed> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    std::fs::write(folder.path().join("kernel.pydd"), &source.text).map_err(|e| e.to_string())?;
    let output = compiler::pyddc_within(LIMIT, folder.path(), &["kernel.pydd", "--color=never"])?;
    let stderr: String = String::from_utf8_lossy(&output.stderr).chars().take(2000).collect();
    let right = matches!(
        (output.status.code(), source.compiles),
        (Some(0), None | Some(true)) | (Some(1), None | Some(false))
    );
    let diagnosed = output.status.code() != Some(1) || stderr.contains("error[");
    if right && diagnosed {
        return Ok(());
    }
    Err(failure(name, &[format!("{}\n{stderr}", output.status)]))
}
