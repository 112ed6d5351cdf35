//! What types the frontend finds: one table for promotion, snippets for the rest.

use pydd_frontend::compile;
use pydd_frontend::diagnostics::Severity;
use pydd_frontend::source::SourceFile;

/// The exported signatures, or the codes of what is wrong.
fn signatures(text: &str) -> String {
    let source = SourceFile::new("kernel.pydd", text);
    let outcome = compile(&source, "kernel");
    if outcome.diagnostics.has_errors() {
        let items = outcome.diagnostics.sorted();
        let errors = items.iter().filter(|d| d.severity == Severity::Error);
        let codes: Vec<&str> = errors.map(|d| d.code.name()).collect();
        return codes.join(" ");
    }
    let module = outcome.module.expect("a program without errors is lowered");
    if let Err(errors) = pydd_ir::verify::verify(&module) {
        return format!("bad IR: {errors:?}");
    }
    let dump = outcome.typed.as_ref().map(pydd_frontend::typed::program::dump::dump).unwrap_or_default();
    let exports = dump.lines().filter_map(|line| line.strip_prefix("export def "));
    exports.map(|line| line.trim_end_matches(':').to_owned()).collect::<Vec<_>>().join("\n")
}

/// The type of an expression over these parameters.
fn type_of(params: &str, expr: &str) -> String {
    let text = format!("import numpy as np\nimport math\n\ndef f({params}):\n    return {expr}\n");
    let found = signatures(&text);
    found.rsplit_once(" -> ").map_or(found.clone(), |(_, ty)| ty.to_owned())
}

#[test]
fn numbers_promote_as_numpy_promotes_them() {
    let params = "i: int, x: float, b: bool, c: complex, i8: int8, u8: uint8, i32: int32, i64: int64, u64: uint64, f32: float32, f64: float64, c64: complex64, A: Array(float32, 1), I: Array(int32, 1), B: Array(bool, 1), U: Array(uint8, 2), C: Array(complex64, 1)";
    let cases = [
        ("i + i", "int"),
        ("i / i", "float"),
        ("i // 2", "int"),
        ("i ** 2", "int"),
        ("i ** -1", "float"),
        ("i ** i", "int"),
        ("b + b", "int"),
        ("b & b", "bool"),
        ("b and i > 0", "bool"),
        ("-b", "int"),
        ("i + x", "float"),
        ("x + c", "complex"),
        ("i8 + 1", "int8"),
        ("i8 + u8", "int16"),
        ("i32 * i64", "int64"),
        ("i64 + u64", "float64"),
        ("u64 + 1", "uint64"),
        ("i32 / i32", "float64"),
        ("f32 * 0.5", "float32"),
        ("f32 * x", "float32"),
        ("f32 * f64", "float64"),
        ("i32 * 0.5", "float64"),
        ("i32 + f32", "float64"),
        ("f32 + c", "complex64"),
        ("f64 + c64", "complex128"),
        ("f64 == f32", "np.bool"),
        ("i < x", "bool"),
        ("A * 0.5", "Array(float32, 1)"),
        ("A * x", "Array(float32, 1)"),
        ("A * f64", "Array(float64, 1)"),
        ("I * 0.5", "Array(float64, 1)"),
        ("I / 2", "Array(float64, 1)"),
        ("I + U", "Array(int32, 2)"),
        ("B + B", "Array(bool, 1)"),
        ("B + 1", "Array(int64, 1)"),
        ("~B", "Array(bool, 1)"),
        ("A > 0", "Array(bool, 1)"),
        ("A @ A", "float32"),
        ("A[0]", "float32"),
        ("A[1:]", "Array(float32, 1)"),
        ("U[0]", "Array(uint8, 1)"),
        ("U[None, 0, ..., ::2]", "Array(uint8, 2)"),
        ("abs(C)", "Array(float32, 1)"),
        ("abs(-i)", "int"),
        ("np.sqrt(i)", "float64"),
        ("math.sqrt(f32)", "float"),
        ("math.floor(f32)", "int"),
        ("np.floor(f32)", "float32"),
        ("np.sqrt(I)", "Array(float64, 1)"),
        ("U.sum()", "uint64"),
        ("B.sum()", "int64"),
        ("I.sum(axis=0)", "int64"),
        ("U.sum(axis=-1)", "Array(uint64, 1)"),
        ("U.sum(axis=0, keepdims=True)", "Array(uint64, 2)"),
        ("A.mean()", "float32"),
        ("I.mean()", "float64"),
        ("U.argmin()", "int64"),
        ("argmin(U)", "Tuple(int64, int64)"),
        ("U.shape", "Tuple(int, int)"),
        ("len(U)", "int"),
        ("U.T", "Array(uint8, 2)"),
        ("min(i, 2.5)", "float"),
        ("min(A)", "float32"),
        ("x if b else i", "float"),
        ("np.where(A > 0, A, 0)", "Array(float32, 1)"),
        ("np.zeros(3)", "Array(float64, 1)"),
        ("np.zeros((2, 3), dtype=np.int32)", "Array(int32, 2)"),
        ("np.zeros_like(U, \"float32\")", "Array(float32, 2)"),
        ("zeros((i, 2), float64())", "Array(float64, 2)"),
        ("np.arange(3)", "Array(int64, 1)"),
        ("np.arange(0.0, 1.0, 0.1)", "Array(float64, 1)"),
        ("np.array([[1, 2], [3, 4.5]])", "Array(float64, 2)"),
        ("float(i32)", "float"),
        ("np.float32(i)", "float32"),
        ("A.astype(np.int8)", "Array(int8, 1)"),
        ("(i, x)[1]", "float"),
        ("1 < i < 3", "bool"),
        ("round(x)", "int"),
        ("divmod(i, 3)", "Tuple(int, int)"),
        ("A.dtype == np.float32", "bool"),
    ];
    for (expr, expected) in cases {
        assert_eq!(type_of(params, expr), expected, "{expr}");
    }
}

#[test]
fn what_is_wrong_has_its_code() {
    let cases = [
        ("a: Array(float64, 1)", "a and 1", "bool-of-array"),
        ("a: Array(bool, 1)", "a - a", "unsupported-operand"),
        ("a: Array(float64, 1)", "a[0, 1]", "index-count"),
        ("a: Array(int8, 1)", "a + 300", "constant-overflow"),
        ("a: Array(float64, 2)", "a.sum(axis=2)", "axis-out-of-range"),
        ("a: Array(float64, 2), n: int", "a.sum(axis=n)", "argument-not-constant"),
        ("a: Array(float64, 1)", "a.shpe", "unknown-attribute"),
        ("a: Array(float64, 1)", "np.sqroot(a)", "unknown-function"),
        ("a: Array(float64, 1)", "np.zeros(3, shape=4)", "duplicate-argument"),
        ("a: Array(float64, 1)", "np.zeros(3, foo=4)", "keyword-argument-unknown"),
        ("a: Array(float64, 1)", "np.zeros()", "wrong-argument-count"),
        ("a: Array(float64, 1)", "np.linalg.svd(a)", "type-mismatch"),
        ("a: Array(float64, 2)", "np.linalg.eig(a)", "unsupported-yet"),
        ("a: Array(complex64, 1)", "np.fft.rfft(a)", "type-mismatch"),
        ("a: Array(int8, 1)", "np.sqrt(a)", "unsupported-operand"),
        ("x: float64", "x @ x", "matmul-rank"),
        ("x: float64", "x(1)", "not-callable"),
        ("x: float64", "y + x", "undefined-name"),
        ("x: float64", "x is 3", "is-operator"),
        ("x: float64", "np.array([[1, 2], [3]])", "shape-mismatch"),
        ("x: float64", "\"a\" + \"b\"", "string-operation"),
        ("x: float64", "(1, 2)[5]", "index-out-of-range"),
        ("a: Array(float64, 1), x: float64", "a[x]", "index-type"),
        ("c: complex", "c < c", "complex-order"),
    ];
    for (params, expr, code) in cases {
        assert_eq!(type_of(params, expr), code, "{expr}");
    }
}

#[test]
fn the_published_kernels_compile() {
    let text = "\
def update_centers(k: int64, X: Array(float64, 2), y: Array(int64)) -> Array(float64, 2):
    m = shape(X, 0) # type: int64
    d = shape(X, 1) # type: int64
    centers = zeros((k, d), float64())
    counts = zeros(k, int64())
    for i in range(m):
        c = y[i]
        counts[c] += 1
        for j in range(d):
            centers[c, j] += X[i, j]
    for c in range(k):
        n_c = counts[c]
        for j in range(d):
            centers[c, j] /= n_c
    return centers

def foo(xs: Array(double, 2)) -> double:
    sum = 0.0
    for i in range(shape(xs, 0)):
        for j in range(shape(xs, 1)):
            sum += xs[i, j]
    return sum
";
    let expected = "\
update_centers(k: int64, X: Array(float64, 2), y: Array(int64, 1)) -> Array(float64, 2)
foo(xs: Array(float64, 2)) -> float64";
    assert_eq!(signatures(text), expected);
}

#[test]
fn definitions_meet() {
    let at_join = "def f(c: bool):\n    if c:\n        x = 1\n    else:\n        x = 2.5\n    return x\n";
    assert_eq!(signatures(at_join), "f(c: bool) -> float");
    let in_loop = "def f(n: int):\n    s = 0\n    for i in range(n):\n        s = s + 0.5\n    return s, i\n";
    assert_eq!(signatures(in_loop), "f(n: int) -> Tuple(float, int)");
    let unused = "def f(c: bool, a: Array(float64, 1)):\n    if c:\n        x = 1\n    else:\n        x = a\n    return 0\n";
    assert_eq!(signatures(unused), "f(c: bool, a: Array(float64, 1)) -> int");
    let read = unused.replace("return 0", "return x");
    assert_eq!(signatures(&read), "meet-conflict");
    let unbound = "def f(n: int):\n    return x\n    x = 1\n";
    assert_eq!(signatures(unbound), "possibly-unbound");
}

#[test]
fn templates_recursion_and_versions() {
    let template = "def twice(x):\n    return x + x\n\ndef f(a: Array(int32, 1), x: float):\n    return twice(a), twice(x)\n";
    assert_eq!(signatures(template), "f(a: Array(int32, 1), x: float) -> Tuple(Array(int32, 1), float)");
    let recursive =
        "def fib(n: int64):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\n";
    assert_eq!(signatures(recursive), "fib(n: int64) -> int64");
    let mutual = "def even(n: int):\n    if n == 0:\n        return True\n    return odd(n - 1)\n\ndef odd(n: int):\n    if n == 0:\n        return False\n    return even(n - 1)\n";
    assert_eq!(signatures(mutual), "even(n: int) -> bool\nodd(n: int) -> bool");
    let endless = "def f(n: int):\n    return f(n)\n";
    assert_eq!(signatures(endless), "recursive-type");
    let union = "def f(x: float32 | float64):\n    return x * 2\n";
    assert_eq!(signatures(union), "f(x: float32) -> float32\nf.2(x: float64) -> float64");
    let any_rank = "def f(a: Array(float64)):\n    return a * 2\n";
    assert_eq!(signatures(any_rank).lines().count(), 3);
    let implied = "def f(a: Array(float64)):\n    n, m = a.shape\n    return n * m\n";
    assert_eq!(signatures(implied), "f(a: Array(float64, 2)) -> int");
    let rightwards = "def f(a, b: Array(float64, 1), n: int = 3):\n    return a @ b * n\n";
    assert_eq!(signatures(rightwards), "f(a: Array(float64, 1), b: Array(float64, 1), n: int) -> float64");
}

#[test]
fn parallel_loops_classify_their_variables() {
    let reduced = "def f(x: Array(float64, 1)):\n    s = 0.0\n    m = x[0]\n    pfor i in range(len(x)):\n        t = x[i] * 2\n        s += t\n        m = max(m, t)\n    return s, m\n";
    assert_eq!(signatures(reduced), "f(x: Array(float64, 1)) -> Tuple(float64, float64)");
    let carried = "def f(x: Array(float64, 1)):\n    s = 0.0\n    pfor i in range(len(x)):\n        s = s * 0.5 + x[i]\n    return s\n";
    assert_eq!(signatures(carried), "pfor-carried");
    let after =
        "def f(x: Array(float64, 1)):\n    pfor i in range(len(x)):\n        t = x[i]\n    return t\n";
    assert_eq!(signatures(after), "pfor-local-after");
    let mixed = "def f(x: Array(float64, 1)):\n    s = 0.0\n    pfor i in range(len(x)):\n        s += x[i]\n        x[i] = s\n    return s\n";
    assert_eq!(signatures(mixed), "pfor-carried");
}

#[test]
fn lists_learn_what_they_hold() {
    let appended =
        "def f(n: int):\n    xs = []\n    for i in range(n):\n        xs.append(i * 0.5)\n    return xs\n";
    assert_eq!(signatures(appended), "f(n: int) -> List(float)");
    let unknown = "def f(n: int):\n    xs = []\n    return n\n";
    assert_eq!(signatures(unknown), "cannot-infer-type");
}
