//! Sinkhorn's iteration in the spellings of its users: each computes the product of two dense matrices only where a third, sparse one has
//! elements, and none does where that would be seen.

use std::process::Command;

/// The operations that count: of the function, behind the pass that samples.
#[derive(PartialEq, Eq, Debug)]
struct Counts {
    sampled: usize,
    /// Products of dense matrices: beside what is sampled they stand in the branch for values that are not finite.
    dense: usize,
    /// Products with a sparse one.
    sparse: usize,
    /// Those, of loops that run, in which the entries are computed in the end.
    joined: usize,
}

fn counts(name: &str, text: &str) -> Counts {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{name}.pydd"));
    std::fs::write(&path, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pyddc"));
    command.arg(&path).args(["--print-after=sample", "--emit=ir-opt"]);
    let run = command.output().unwrap();
    assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
    let text = String::from_utf8_lossy(&run.stdout);
    let head = format!("func @{}.fast ", entry(&text));
    let (sampled, last) = text.split_at(text.rfind("\nmodule ").expect("the module, as it is in the end"));
    let (sampled, last) = (function(sampled, &head), function(last, &head));
    let of = |lines: &[&str], part: &str| lines.iter().filter(|line| line.contains(part)).count();
    Counts {
        sampled: of(&sampled, ".sampled."),
        dense: of(&sampled, "= matmul "),
        sparse: of(&sampled, "call[@pydd.times_matrix"),
        joined: of(&last, ".joined."),
    }
}

/// The one function that is exported.
fn entry(text: &str) -> String {
    let line = text.lines().find(|line| line.starts_with("export ")).expect("something is exported");
    line.split('"').nth(1).expect("it has a name").to_owned()
}

/// The lines of a function, where it stands last.
fn function<'t>(text: &'t str, head: &str) -> Vec<&'t str> {
    let at = text.rfind(head).unwrap_or_else(|| panic!("no {head} in {text}"));
    text[at..].lines().take_while(|line| *line != "}").collect()
}

/// What all spellings come to: two samples, each with what it stands for in case, and two products with the sampled matrix, of which the
/// one in the loop makes none.
const FUSED: Counts = Counts { sampled: 2, dense: 2, sparse: 2, joined: 1 };

const PUBLISHED: &str = "\
def sinkhorn(K: Array(float64, 2), M: Array(float64, 2), X: Array(float64, 2), R: Array(float64, 2), C: SparseArray(float64, 2), max_iter: int32):
    it = 0
    while it < max_iter:
        U = 1.0 / X
        V = C * (1 / (K.T @ U))
        X = ((1 / R) * K) @ V
        it += 1
    U = 1.0 / X
    V = C * (1 / (K.T @ U))
    return (U * ((K * M) @ V)).sum(0)
";

#[test]
fn published() {
    assert_eq!(counts("published", PUBLISHED), FUSED);
}

#[test]
fn by_multiply() {
    let text = PUBLISHED.replace("C * (1 / (K.T @ U))", "C.multiply(1 / (K.T @ U))");
    assert_eq!(counts("by_multiply", &text), FUSED);
}

#[test]
fn in_the_words_of_intrepydd() {
    let text = PUBLISHED
        .replace("C * (1 / (K.T @ U))", "spm_mul(C, 1 / (K.T @ U))")
        .replace("((1 / R) * K) @ V", "spmm_dense((1 / R) * K, V)")
        .replace("(K * M) @ V", "spmm_dense(K * M, V)");
    assert_eq!(counts("in_the_words", &text), FUSED);
}

#[test]
fn with_a_name_for_each_step() {
    let text = PUBLISHED
        .replace(
            "        V = C * (1 / (K.T @ U))\n",
            "        Q = K.T @ U\n        W = 1 / Q\n        V = C * W\n",
        )
        .replace(
            "        X = ((1 / R) * K) @ V\n",
            "        S = 1 / R\n        L = S * K\n        X = L @ V\n",
        );
    assert_eq!(counts("with_a_name", &text), FUSED);
}

#[test]
fn by_a_function() {
    let text = PUBLISHED.replace("C * (1 / (K.T @ U))", "scaled(C, K, U)");
    let helper = "def scaled(C, K, U):\n    return C * (1 / (K.T @ U))\n\n\n";
    let text = helper.to_owned() + &text;
    assert_eq!(counts("by_a_function", &text), FUSED);
}

#[test]
fn in_single_precision() {
    let text = PUBLISHED.replace("float64", "float32").replace("1.0 / X", "1 / X");
    assert_eq!(counts("in_single_precision", &text), FUSED);
}

#[test]
fn by_other_names() {
    let text = PUBLISHED
        .replace("sinkhorn", "distance")
        .replace("K.T", "near.T")
        .replace(" K", " near")
        .replace("(K", "(near");
    let text = text.replace("V", "plan").replace("U", "left").replace("max_iter", "steps");
    assert_eq!(counts("by_other_names", &text), FUSED);
}

#[test]
fn of_a_matrix_that_is_put_together() {
    let text = PUBLISHED
        .replace(
            "C: SparseArray(float64, 2), max_iter: int32",
            "values: Array(float64, 1), columns: Array(int32, 1), begin: Array(int32, 1), texts: int32, max_iter: int32",
        )
        .replace("    it = 0\n", "    C = csr_to_spm(values, columns, begin, texts)\n    it = 0\n")
        .replace("C * (1 / (K.T @ U))", "C.multiply(1 / (K.T @ U))");
    assert_eq!(counts("of_a_matrix", &text), FUSED);
}

/// Written between the product and its use: the elements are not those of the matrix any more.
#[test]
fn matrix_that_is_written_before_it_is_used_is_no_sample() {
    let text = PUBLISHED.replacen(
        "        V = C * (1 / (K.T @ U))\n",
        "        W = K.T @ U\n        K[0, 0] = 2.0\n        V = C * (1 / W)\n",
        1,
    );
    let found = counts("written", &text);
    assert_eq!((found.sampled, found.dense), (1, 2), "{found:?}");
}

/// The whole product is given back, so that it is there anyway.
#[test]
fn product_that_is_given_back_is_no_sample() {
    let text = PUBLISHED.replacen(
        "    V = C * (1 / (K.T @ U))\n    return",
        "    W = K.T @ U\n    V = C * (1 / W)\n    return W,",
        1,
    );
    let found = counts("given_back", &text);
    assert_eq!((found.sampled, found.dense), (1, 2), "{found:?}");
}

/// The sparse matrix is what is sampled, whoever sees it later.
#[test]
fn sampled_matrix_may_be_given_back() {
    let text = PUBLISHED.replace("    return (U", "    return V, (U");
    assert_eq!(counts("given_back_as_well", &text), FUSED);
}
