//! The report as a page that needs nothing else: the source, beside each line what became of it, and below it, when it is
//! opened, why.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use pydd_frontend::source::SourceFile;
use pydd_ir::Loc;
use pydd_passes::Finding;
use pydd_passes::report::{CONTRACTED, IN_REGISTERS, LOOPS_JOINED};

use super::perf::Samples;
use super::{badge, picture};

/// Text as it stands in a page or an attribute.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            // XML and HTML have no other control characters.
            c if c.is_control() && c != '\n' && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// As [`escape`], with what stands between backticks as code.
fn prose(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in text.split('`').enumerate() {
        let part = escape(part);
        if i % 2 == 1 {
            let _ = write!(out, "<code>{part}</code>");
        } else {
            out += &part;
        }
    }
    out
}

/// What a page is made of.
pub struct Page<'a> {
    pub source: &'a SourceFile,
    pub findings: &'a [Finding],
    pub samples: Option<&'a Samples>,
    /// How it was compiled, as options.
    pub options: String,
}

impl Page<'_> {
    #[must_use]
    pub fn write(&self) -> String {
        let name = self.source.name().rsplit('/').next().unwrap_or_default();
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{} · pyddc report</title>\n\
             <style>\n{}</style>\n</head>\n<body>\n",
            escape(name),
            include_str!("page.css")
        );
        // An option is not broken at its hyphens.
        let whole = |word: &str| format!("<span class=\"whole\">{}</span>", escape(word));
        let options: Vec<String> = self.options.split(' ').map(whole).collect();
        let _ = writeln!(
            out,
            "<header><h1>{}</h1><p class=\"faint\">What became of its loops and arrays. pyddc {}{}. Lines with a mark open with a \
             click.</p></header>",
            escape(name),
            env!("CARGO_PKG_VERSION"),
            options.join(" ")
        );
        if let Some(samples) = self.samples {
            let _ = writeln!(out, "<p>{}</p>", escape(&samples.headline()));
        }
        self.summary(&mut out);
        self.listing(&mut out);
        out += "</body>\n</html>\n";
        out
    }

    /// A row for each function: marks and how many there are of each.
    fn summary(&self, out: &mut String) {
        let functions = super::functions(self.source);
        if functions.is_empty() {
            return;
        }
        *out += "<h2>Functions</h2>\n<div class=\"scroll\"><table>\n<tr><th>function</th>";
        if self.samples.is_some() {
            *out += "<th>samples</th>";
        }
        *out += "<th>arrays of a call</th><th>what became of it</th></tr>\n";
        for (i, (name, line)) in functions.iter().enumerate() {
            let end = functions.get(i + 1).map_or(u32::MAX, |(_, line)| *line);
            let lines = *line..end;
            let inside = || self.findings.iter().filter(|finding| lines.contains(&finding.loc.line));
            let _ = write!(out, "<tr><td><a href=\"#L{line}\"><code>{}</code></a></td>", escape(name));
            if let Some(samples) = self.samples {
                let share: f64 = samples.in_lines(lines.clone());
                let _ = write!(out, "<td>{}</td>", percent(share));
            }
            let arrays = inside().find(|finding| finding.code == "allocations");
            *out += "<td>";
            if let Some(arrays) = arrays {
                let _ = write!(out, "{}", escape(badge::of(arrays).0));
                for note in &arrays.notes {
                    let _ = write!(out, "<br/><span class=\"faint\">{}</span>", prose(note));
                }
            }
            *out += "</td><td>";
            let mut counts: BTreeMap<(badge::Tone, &str), usize> = BTreeMap::new();
            for finding in inside().filter(|finding| finding.code != "allocations") {
                let (word, tone) = badge::of(finding);
                *counts.entry((tone, word)).or_default() += 1;
            }
            for ((tone, word), count) in counts {
                let times = if count == 1 { String::new() } else { format!("{count} × ") };
                let _ = write!(out, "<span class=\"badge {}\">{times}{}</span> ", tone.name(), escape(word));
            }
            *out += "</td></tr>\n";
        }
        *out += "</table></div>\n";
    }

    fn listing(&self, out: &mut String) {
        let class = if self.samples.is_some() { "source sampled" } else { "source" };
        let _ = writeln!(out, "<h2>Source</h2>\n<div class=\"{class}\">");
        let mut by_line: BTreeMap<u32, Vec<&Finding>> = BTreeMap::new();
        for finding in self.findings {
            by_line.entry(finding.loc.line).or_default().push(finding);
        }
        let mut file = None;
        for line in 1..=self.source.line_count() {
            let Some(place) = self.source.shown_line(line) else { continue };
            if let Some(name) = place.file.filter(|&name| Some(name) != file && name != self.source.name()) {
                let _ = writeln!(out, "<h3>{}</h3>", escape(name));
            }
            file = place.file.or(file);
            let text = self.source.slice(self.source.line_span(line));
            match by_line.get(&line) {
                Some(found) => {
                    let _ = write!(out, "<details id=\"L{line}\"><summary>");
                    self.row(out, line, text, found);
                    *out += "</summary>\n<ul class=\"found\">\n";
                    found.iter().for_each(|finding| self.finding(out, finding));
                    *out += "</ul></details>\n";
                }
                None => {
                    let _ = write!(out, "<div id=\"L{line}\">");
                    self.row(out, line, text, &[]);
                    *out += "</div>\n";
                }
            }
        }
        *out += "</div>\n";
    }

    /// The number that a line has in its file.
    fn number(&self, line: u32) -> u32 {
        self.source.shown_line(line).map_or(line, |place| place.line)
    }

    fn row(&self, out: &mut String, line: u32, text: &str, found: &[&Finding]) {
        let shown = self.number(line);
        let _ =
            write!(out, "<span class=\"row\"><span class=\"number\"><a href=\"#L{line}\">{shown}</a></span>");
        if let Some(samples) = self.samples {
            let share = samples.in_lines(shown..shown + 1);
            if share > 0.0 {
                let strength = (share / 100.0).sqrt() * 0.8;
                let _ = write!(
                    out,
                    "<span class=\"share\" style=\"background: rgba(var(--heat), {strength:.2})\">{}</span>",
                    percent(share)
                );
            } else {
                *out += "<span class=\"share\"></span>";
            }
        }
        let _ = write!(out, "<span class=\"text\">{}</span><span class=\"badges\">", escape(text.trim_end()));
        let mut shown: BTreeSet<(badge::Tone, &str)> = BTreeSet::new();
        shown.extend(found.iter().map(|finding| {
            let (word, tone) = badge::of(finding);
            (tone, word)
        }));
        for (tone, word) in shown {
            let _ = write!(out, "<span class=\"badge {}\">{}</span>", tone.name(), escape(word));
        }
        // Lines that take part in what is said elsewhere.
        let mut elsewhere: BTreeSet<(&str, u32)> = BTreeSet::new();
        for finding in
            self.findings.iter().filter(|finding| finding.picture.is_some() && finding.loc.line != line)
        {
            if finding.labels.iter().any(|(loc, _)| loc.line == line) {
                elsewhere.insert((badge::of(finding).0, finding.loc.line));
            }
        }
        for (word, other) in elsewhere {
            let _ = write!(
                out,
                "<a class=\"badge ghost\" href=\"#L{other}\">{} · line {}</a>",
                escape(word),
                self.number(other)
            );
        }
        *out += "</span></span>";
    }

    fn finding(&self, out: &mut String, finding: &Finding) {
        let (word, tone) = badge::of(finding);
        let _ = write!(
            out,
            "<li><span class=\"badge {}\" title=\"{}\">{}</span>{}",
            tone.name(),
            escape(finding.code),
            escape(word),
            prose(&finding.message)
        );
        let is_twin = |other: &Finding| {
            other.code == finding.code && other.loc.line == finding.loc.line && other.loc != finding.loc
        };
        if self.findings.iter().any(is_twin) {
            let _ = write!(out, " <code class=\"faint\">{}</code>", escape(&self.snippet(finding.loc)));
        }
        // Loops that are joined stand in the drawing.
        let shown = |(_, text): &&(Loc, String)| !text.is_empty() && finding.code != LOOPS_JOINED;
        let labels: Vec<&(Loc, String)> = finding.labels.iter().filter(shown).collect();
        if !labels.is_empty() || !finding.notes.is_empty() || finding.help.is_some() {
            *out += "<ul>";
            let mut lines: Vec<String> = Vec::new();
            for (loc, text) in labels {
                let place = match () {
                    () if *loc == finding.loc => String::new(),
                    () if loc.line == finding.loc.line => {
                        format!("<code>{}</code>: ", escape(&self.snippet(*loc)))
                    }
                    () => format!("<a href=\"#L{}\">line {}</a>: ", loc.line, self.number(loc.line)),
                };
                let item = format!("<li>{place}<b>{}</b></li>", prose(text));
                if !lines.contains(&item) {
                    lines.push(item);
                }
            }
            *out += &lines.concat();
            for text in finding.notes.iter().chain(&finding.help) {
                let _ = write!(out, "<li><b>{}</b></li>", prose(text));
            }
            *out += "</ul>";
        }
        if let Some(drawn) = self.drawing(finding) {
            let _ = write!(
                out,
                "<figure>{drawn}<figcaption>dashed: never in memory as a whole</figcaption></figure>"
            );
        }
        *out += "</li>\n";
    }

    fn drawing(&self, finding: &Finding) -> Option<String> {
        let mut drawn = finding.picture.clone()?;
        for node in drawn.nodes.iter_mut().filter(|node| node.text.is_empty()) {
            node.text = self.snippet(node.loc);
        }
        let gone = |loc: Loc| {
            let about =
                |other: &Finding| [CONTRACTED, IN_REGISTERS].contains(&other.code) && other.loc == loc;
            self.findings.iter().any(about)
        };
        let id = self.findings.iter().position(|other| std::ptr::eq(other, finding)).unwrap_or(0);
        picture::svg(&drawn, |loc| !gone(loc), |line| self.number(line), id)
    }

    /// The expression at a place, as far as it is short.
    fn snippet(&self, loc: Loc) -> String {
        const MOST: usize = 26;
        let text = self.source.slice(self.source.line_span(loc.line)).trim_end();
        let mut depth = 0_usize;
        let ends = |c: char| {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' if depth > 0 => depth -= 1,
                ')' | ']' | ',' | '#' if depth == 0 => return true,
                _ => {}
            }
            false
        };
        let rest =
            text.char_indices().nth(loc.column.saturating_sub(1) as usize).map_or("", |(at, _)| &text[at..]);
        let end = rest.find(ends).unwrap_or(rest.len());
        let text: Vec<char> = rest[..end].trim_end().chars().collect();
        if text.len() <= MOST {
            text.iter().collect()
        } else {
            text[..MOST - 1].iter().chain(&['…']).collect()
        }
    }
}

fn percent(share: f64) -> String {
    if share >= 9.95 { format!("{share:.0} %") } else { format!("{share:.1} %") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        let source = SourceFile::new("a<b.pydd", "def f(a, b) -> bool:\n    return a<b  # </style>&\u{1}\n");
        let loc = Loc { line: 2, column: 12, scope: 0 };
        let finding = Finding::new("loop-check", loc, "`<` is \"checked\"").label(loc, "<b>");
        let page =
            Page { source: &source, findings: &[finding], samples: None, options: String::new() }.write();
        assert!(page.contains("return a&lt;b  # &lt;/style&gt;&amp;\u{fffd}"));
        assert!(page.contains("<code>&lt;</code> is &quot;checked&quot;") && page.contains("&lt;b&gt;"));
        assert_eq!(page.matches("</style>").count(), 1);
    }
}
