//! What to write instead of what is wrong, where a diagnostic says it in so many words.

use crate::diagnostics::Diagnostic;
use crate::source::{SourceFile, Span};

/// A change of the text that mends it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, for a menu.
    pub title: String,
    /// What is replaced; empty where something is put in.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// The change that the help of a diagnostic asks for: "did you mean `zeros`?" and "add `import math` at the top".
pub fn of(source: &SourceFile, diagnostic: &Diagnostic) -> Option<Fix> {
    let (help, label) = (diagnostic.help.as_deref()?, diagnostic.primary.as_ref()?);
    if let Some(near) = quoted(help, "did you mean `", "`?") {
        let near = near.trim_start_matches('.');
        let wrong = last_name(source, label.span)?;
        return Some(Fix { title: format!("Replace with `{near}`"), span: wrong, text: near.to_owned() });
    }
    let import = quoted(help, "add `", "` at the top").filter(|text| text.starts_with("import "))?;
    let span = Span::at(first_line_for_imports(source));
    Some(Fix { title: format!("Add `{import}`"), span, text: format!("{import}\n") })
}

fn quoted<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    text.strip_prefix(before)?.strip_suffix(after)
}

/// The name that a place ends with: `sume` of `np.sume`, of `sum=1` the name before the sign.
fn last_name(source: &SourceFile, span: Span) -> Option<Span> {
    let text = source.slice(span);
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let start = text.rfind('.').map_or(0, |dot| dot + 1);
    let name = is_name(&text[start..]).then(|| Span::new(span.start + start as u32, span.end));
    let keyword = || {
        let end = text.find('=').map(|at| text[..at].trim_end().len())?;
        is_name(&text[..end]).then(|| Span::new(span.start, span.start + end as u32))
    };
    name.or_else(keyword)
}

/// Where an import may stand: before the first statement that is not the module's docstring, a comment or an empty line.
fn first_line_for_imports(source: &SourceFile) -> u32 {
    let mut quotes = None;
    for line in 1..=source.line_count() {
        let span = source.line_span(line);
        let text = source.slice(span).trim();
        match quotes {
            Some(end) => {
                if text.ends_with(end) {
                    quotes = None;
                }
            }
            None if text.is_empty() || text.starts_with('#') => {}
            None => match ["\"\"\"", "'''"].into_iter().find(|quotes| text.starts_with(quotes)) {
                Some(end) if text.len() < 6 || !text.ends_with(end) => quotes = Some(end),
                Some(_) => {}
                None => return span.start,
            },
        }
    }
    source.text().len() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile;

    fn fixed(text: &str) -> Option<String> {
        let source = SourceFile::new("f.pydd", text);
        let outcome = compile(&source, "f");
        let fix = outcome.diagnostics.iter().find_map(|diagnostic| of(&source, diagnostic))?;
        let (before, after) = (&text[..fix.span.start as usize], &text[fix.span.end as usize..]);
        Some(format!("{before}{}{after}", fix.text))
    }

    #[test]
    fn names_and_imports_are_mended() {
        for (wrong, right) in [
            ("def f(x: float64):\n    return sqtr(x)\n", "def f(x: float64):\n    return sqrt(x)\n"),
            (
                "import numpy as np\ndef f(x: Array(float64, 1)):\n    return np.cumsun(x)\n",
                "import numpy as np\ndef f(x: Array(float64, 1)):\n    return np.cumsum(x)\n",
            ),
            (
                "def f(x: Array(float64, 1)):\n    return x.maxx()\n",
                "def f(x: Array(float64, 1)):\n    return x.max()\n",
            ),
            ("def f(x: flaot64):\n    return x\n", "def f(x: float64):\n    return x\n"),
            (
                "\"\"\"Doc.\n\nMore.\"\"\"\n# c\n\ndef f(x: float64):\n    return np.sin(x)\n",
                "\"\"\"Doc.\n\nMore.\"\"\"\n# c\n\nimport numpy as np\ndef f(x: float64):\n    return np.sin(x)\n",
            ),
        ] {
            assert_eq!(fixed(wrong).as_deref(), Some(right));
        }
        assert_eq!(fixed("def f(x: float64):\n    return banana\n"), None);
    }
}
