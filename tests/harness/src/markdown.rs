//! Pages of prose with fenced blocks.

/// A fenced block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fence {
    /// What stands after the opening backticks.
    pub info: String,
    /// Its text, with a closing newline.
    pub text: String,
    /// The heading above it.
    pub heading: String,
    /// Line of the first line of its text, from 0; and of the closing backticks.
    pub lines: std::ops::Range<usize>,
}

/// The blocks of a page, in order.
///
/// # Errors
/// A block is not closed.
pub fn fences(page: &str) -> Result<Vec<Fence>, String> {
    let (mut found, mut heading) = (Vec::new(), String::new());
    let mut open: Option<Fence> = None;
    for (number, line) in page.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let lines = number + 1..number + 1;
                open = Some(Fence {
                    info: info.trim().to_owned(),
                    text: String::new(),
                    heading: heading.clone(),
                    lines,
                });
            }
            (None, None) if line.starts_with('#') => {
                line.trim_start_matches('#').trim().clone_into(&mut heading)
            }
            (None, None) => {}
            (Some(_), Some(_)) => {
                let mut fence = open.take().expect("open");
                fence.lines.end = number;
                found.push(fence);
            }
            (Some(fence), None) => {
                fence.text.push_str(line);
                fence.text.push('\n');
            }
        }
    }
    open.map_or(Ok(found), |fence| Err(format!("the block at line {} is not closed", fence.lines.start)))
}

/// The page with the texts of some blocks replaced; replacements are in the order of the page.
#[must_use]
pub fn replace(page: &str, replacements: &[(Fence, String)]) -> String {
    let mut out = String::new();
    let mut at = 0;
    let lines: Vec<&str> = page.lines().collect();
    for (fence, text) in replacements {
        lines[at..fence.lines.start].iter().for_each(|line| out.extend([line, "\n"]));
        out.push_str(text);
        at = fence.lines.end;
    }
    lines[at..].iter().for_each(|line| out.extend([line, "\n"]));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# T\n\n```pydd\nx\ny\n```\nprose\n## Sub\n```error\n```\nend\n";

    #[test]
    fn blocks_know_their_heading() {
        let found = fences(PAGE).unwrap();
        assert_eq!((found[0].text.as_str(), found[0].heading.as_str()), ("x\ny\n", "T"));
        assert_eq!((found[1].info.as_str(), found[1].heading.as_str()), ("error", "Sub"));
        assert!(fences("```\nx").is_err());
    }

    #[test]
    fn replacing_leaves_the_rest() {
        let found = fences(PAGE).unwrap();
        let replaced = replace(PAGE, &[(found[1].clone(), "new\n".to_owned())]);
        assert_eq!(replaced, PAGE.replace("```error\n", "```error\nnew\n"));
    }
}
