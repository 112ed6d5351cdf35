//! What the syntax stage makes of programs: the tree as text, and diagnostics as a user sees them.

use pydd_frontend::diagnostics::{Diagnostics, code, render};
use pydd_frontend::source::SourceFile;
use pydd_frontend::syntax;

fn parse(text: &str) -> (String, String) {
    let source = SourceFile::new("f.pydd", text);
    let mut sink = Diagnostics::new();
    let module = syntax::parse(&source, &mut sink).expect("text");
    let shown: String = sink.sorted().iter().map(|diagnostic| render::plain(&source, diagnostic)).collect();
    (syntax::dump_ast(&source, &module), shown)
}

#[track_caller]
fn tree(text: &str, expected: &str) {
    let (tree, errors) = parse(text);
    assert_eq!(errors, "");
    assert_eq!(tree, expected);
}

#[track_caller]
fn errors(text: &str, expected: &str) {
    let (_, errors) = parse(text);
    assert_eq!(errors, expected, "\n{errors}");
}

#[test]
fn statements() {
    tree(
        "def f(a, b: Array(float64, 2) = 3) -> Tuple[int, np.float64]:\n    '''doc'''\n    x = y = a[1:, ..., None]\n    x, (y, z) = 1, 2\n    a.b @= -x ** 2\n    d: Dict(int, double) = {}\n    del d[1]\n    return\n",
        "\
1:1 def f(a, b: Array(float64, 2) = 3) -> Tuple(int, np.float64)
  3:5 x = y = (index a (slice 1 _ _) ... None)
  4:5 (tuple x (tuple y z)) = (tuple 1 2)
  5:5 a.b @= (- (** x 2))
  6:5 d: Dict(int, double) = {dict}
  7:5 del (index d 1)
  8:5 return
",
    );
}

#[test]
fn parallel_statements() {
    tree(
        "def f(n):\n    pfor i in range(n):\n        for j in numba.prange(n):\n            pass\n    pfor a, b in zip(x, y):\n        continue\n    finish: # wait\n        async: g()\n        with spawn():\n            isolated:\n                pass\n    pfor = 3\n    finish: int32 = 4\n    isolated = pfor(finish)\n",
        "\
1:1 def f(n)
  2:5 pfor i in (call range n)
    3:9 pfor j in (call range n)
      4:13 pass
  5:5 pfor (tuple a b) in (call zip x y)
    6:9 continue
  7:5 finish
    8:9 async
      8:16 expr (call g)
    9:9 async
      10:13 isolated
        11:17 pass
  12:5 pfor = 3
  13:5 finish: int32 = 4
  14:5 isolated = (call pfor finish)
",
    );
}

#[test]
fn type_comments() {
    tree(
        "def f(a, # type: int64\n      b):\n    m = shape(X, 0) # type: int64\n    for i in x:  # type: float32 | float64\n        pass\n\ndef g(a, b):  # type: (int, List[int]) -> float64\n    return a # type: ignore\n\ndef h(a: int):\n    # type: (...) -> int\n    return 1\n"
            .replace("(...) -> int", "(float64) -> int")
            .as_str(),
        "\
1:1 def f(a: int64, b)
  3:5 m: int64 = (call shape X 0)
  4:5 for i: float32 | float64 in x
    5:9 pass
7:1 def g(a: int, b: List(int)) -> float64
  8:5 return a
10:1 def h(a: int) -> int
  12:5 return 1
",
    );
}

#[test]
fn elif_is_flat_and_else_if_is_not() {
    tree(
        "def f(a):\n    if a:\n        x = 1\n    elif b:\n        x = 2\n    else:\n        if c:\n            x = 3\n",
        "\
1:1 def f(a)
  2:5 if a
    3:9 x = 1
  4:5 elif b
    5:9 x = 2
  7:9 else
    7:9 if c
      8:13 x = 3
",
    );
}

#[test]
fn modules() {
    tree(
        "'''doc'''\nfrom __future__ import annotations\nimport numpy as np, math\nfrom math import sqrt as root, pi\nfrom pydd import *\nN = 3\nif __name__ == '__main__':\n    f()\n",
        "\
1:1 docstring \"doc\"
3:1 import numpy as np, math
4:1 from math import sqrt as root, pi
5:1 from pydd import *
6:1 N = 3
",
    );
}

#[test]
fn each_mistake_is_told_in_one_run() {
    let (tree, errors) = parse(
        "def a(x:\n    return 1\ndef b(x)\n    return x +\ndef c(x):\n    y = = x\n    return f\"{x:{x}}\"\nclass D:\n    pass\ndef e(x): return x\n",
    );
    let codes: Vec<&str> = errors.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(
        codes,
        [
            "error[unclosed-bracket]: `(` was never closed",
            "error[missing-colon]: expected `:` at the end of the `def` line",
            "error[syntax-error]: the line ends after `+`",
            "error[syntax-error]: `=` is not expected here",
            "error[not-in-language]: this in an f-string is not in the language",
            "error[not-in-language]: `class` is not in the language",
        ],
        "{errors}"
    );
    assert!(tree.ends_with("10:1 def e(x)\n  10:11 return x\n"), "{tree}");
    assert!(tree.contains("def c(x)  # has errors"), "{tree}");
}

#[test]
fn wrong_indentation_hides_nothing() {
    let (tree, errors) =
        parse("def f(x):\n    for i in x:\n    y = x\n      z = 3\n        z = 4\n    return f'{a'\n");
    let heads: Vec<&str> = errors.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(
        heads,
        [
            "error[bad-indentation]: expected an indented block after `for`",
            "error[bad-indentation]: unexpected indentation",
            "error[not-in-language]: this in an f-string is not in the language",
        ],
        "{errors}"
    );
    let expected = "1:1 def f(x)  # has errors\n  2:5 error\n  3:5 y = x\n  6:5 return <error>\n";
    assert_eq!(tree, expected);
}

#[test]
fn the_words_are_those_of_the_source() {
    errors(
        "def f(n):\n    pfor i in range(n)\n        pass\n",
        "\
error[missing-colon]: expected `:` at the end of the `pfor` line
 --> f.pydd:2:23
  |
2 |     pfor i in range(n)
  |                       ^ add `:` here
",
    );
    errors(
        "def f(n):\n    async:\n    x = 1\n",
        "\
error[bad-indentation]: expected an indented block after `async`
 --> f.pydd:3:5
  |
2 |     async:
  |     ----- opens a block
3 |     x = 1
  |     ^ not indented
  |
  = help: indent the block, or write `pass` where nothing is to be done
",
    );
}

#[test]
fn jumps() {
    let (_, shown) = parse(
        "def f(n):\n    pfor i in range(n):\n        while n:\n            return 1\n        break\n    finish:\n        return 2\n    isolated:\n        finish:\n            pass\n    for i in n:\n        async:\n            break\n    continue\n    return 1\n    n += 1\n",
    );
    let heads: Vec<&str> = shown.lines().filter(|line| line.contains("]: ")).collect();
    assert_eq!(
        heads,
        [
            "error[pfor-return]: `return` in a `pfor` loop",
            "error[pfor-break]: `break` in a `pfor` loop",
            "error[leaves-block]: `return` leaves `finish:`",
            "error[finish-in-isolated]: `finish:` inside `isolated:`",
            "error[leaves-block]: `break` leaves `async:`",
            "error[break-outside-loop]: `continue` outside a loop",
            "warning[unreachable-code]: this statement is never reached",
        ],
        "{shown}"
    );
}

#[test]
fn spans_are_exact() {
    let text = "def fä(x, *, y=é(1)):\n    return x.shape[0]\n";
    let source = SourceFile::new("f.pydd", text);
    let mut sink = Diagnostics::new();
    let module = syntax::parse(&source, &mut sink).unwrap();
    let function = module.functions().next().unwrap();
    assert_eq!(source.slice(function.name.span), "fä");
    assert_eq!(source.slice(function.params[1].name.span), "y");
    assert_eq!(source.slice(function.params[1].span), "y=é(1)");
    assert_eq!(source.slice(function.header), "def fä(x, *, y=é(1)):");
    assert!(sink.contains(code::DEFAULT_NOT_CONSTANT));
    let syntax::ast::StmtKind::Return(Some(value)) = &function.body[0].kind else { panic!() };
    let mut spans = Vec::new();
    syntax::visit::walk_expr(value, &mut |expr| spans.push(source.slice(expr.span)));
    assert_eq!(spans, ["x.shape[0]", "x.shape", "x", "0"]);
}

#[test]
fn what_is_not_in_the_language_is_named() {
    let cases = [
        ("def f(**a):\n    pass\n", "a parameter with `**`"),
        ("def f(a):\n    g(**a)\n", "unpacking with `**`"),
        ("def f(a):\n    if a:\n        h = lambda x: x\n", "a `lambda` stored here"),
        ("def f(a):\n    return (x for x in a)\n", "a generator"),
        ("def f(a):\n    yield a\n", "`yield`"),
        ("def f(a):\n    global b\n", "`global`"),
        ("def f(a):\n    try:\n        a()\n    except E:\n        pass\n", "`try`"),
        (
            "def f(a):\n    if a:\n        def g():\n            pass\n",
            "a function inside another's `if` or loop",
        ),
        ("def f(a):\n    import b\n", "an import inside a function"),
        ("def f(a):\n    with open(a):\n        pass\n", "`with`"),
        (
            "def f(a):\n    n = 5\n    match a:\n        case n if n > 3:\n            pass\n        case _:\n            return n\n",
            "a name of a case with a guard, `n`, that is used elsewhere",
        ),
        ("@jit\ndef f(a):\n    pass\n", "a decorator"),
        ("async def f(a):\n    pass\n", "`async def`"),
        ("def f(a):\n    return b'a'\n", "a bytes literal"),
    ];
    for (text, what) in cases {
        let (_, shown) = parse(text);
        let expected = format!("error[not-in-language]: {what} is not in the language");
        assert!(shown.starts_with(&expected), "{shown}");
        assert_eq!(shown.matches("error[").count(), 1, "{shown}");
        assert!(shown.contains("= help: "), "{shown}");
    }
}

#[test]
fn hints() {
    let cases = [
        ("def f(a):\n    if a && b:\n        pass\n", "write `and`"),
        ("def f(a):\n    if a:\n        pass\n    else if b:\n        pass\n", "write `elif`"),
        ("def f(a):\n    if a = 3:\n        pass\n", "write `==` to compare"),
        ("def f(a):\n    a++\n", "write `x += 1`"),
        ("def f(a):\n    print a\n", "call it: `print(…)`"),
        ("def f(a):\n    if !a:\n        pass\n", "write `not`"),
        ("x = 007\n", "write `7`, or `0o7` for an octal number"),
        ("def f(a):\n    class = 3\n", "a keyword cannot be used as a name"),
        ("def f(a):\n    a(1) = 3\n", "index with square brackets: `a[i] = …`"),
    ];
    for (text, hint) in cases {
        let (_, shown) = parse(text);
        assert!(shown.contains(hint), "{text}\n{shown}");
        assert_eq!(shown.matches("error[").count(), 1, "{shown}");
    }
}
