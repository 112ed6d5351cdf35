//! Where a program spent its time, by lines: from a file of `perf record`, or from what `perf script -F ip,sym,srcline` printed.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

/// How a file of `perf record` begins.
const MAGIC: &[u8] = b"PERFILE2";

/// Samples of one run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Samples {
    all: u64,
    by_line: BTreeMap<u32, u64>,
}

impl Samples {
    /// Reads the samples in lines of the file of this name.
    ///
    /// # Errors
    /// The file can't be read, or `perf` is missing or fails, in a user's words.
    pub fn read(path: &Path, source: &str) -> Result<Self, String> {
        let bytes =
            std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let text = if bytes.starts_with(MAGIC) { script(path)? } else { bytes };
        Ok(Self::parse(&String::from_utf8_lossy(&text), source))
    }

    /// Each sample is an address with a symbol, and its line below. Where a sample has callers, they follow, up to an empty line.
    fn parse(text: &str, source: &str) -> Self {
        let has_callers = text.lines().any(|line| line.trim().is_empty());
        let mut samples = Self::default();
        // Whether the next address is the one that was sampled, and the next line is its.
        let (mut starts, mut own) = (true, false);
        for line in text.lines().map(str::trim) {
            if line.is_empty() {
                starts = true;
            } else if is_address(line) {
                own = starts || !has_callers;
                starts = false;
                samples.all += u64::from(own);
            } else if std::mem::take(&mut own)
                && let Some((file, number)) = line.rsplit_once(':')
                && Path::new(file).file_name() == Path::new(source).file_name()
                && let Ok(number) = number.parse()
            {
                *samples.by_line.entry(number).or_default() += 1;
            }
        }
        samples
    }

    fn here(&self) -> u64 {
        self.by_line.values().sum()
    }

    /// The percentage, of the samples in the file, of those in these lines.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "a percentage of few samples")]
    pub fn in_lines(&self, lines: Range<u32>) -> f64 {
        let own: u64 = self.by_line.range(lines).map(|(_, count)| count).sum();
        if own == 0 { 0.0 } else { 100.0 * own as f64 / self.here() as f64 }
    }

    /// How many there are, for a reader.
    #[must_use]
    pub fn headline(&self) -> String {
        match (self.here(), self.all) {
            (0, all) => format!(
                "None of {all} samples is in lines of this file: was the module that ran compiled with -g, and is its name the same?"
            ),
            (here, all) => {
                format!("{here} of {all} samples are in lines of this file; percentages are of these.")
            }
        }
    }
}

fn is_address(line: &str) -> bool {
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    !rest.is_empty() && first.chars().all(|c| c.is_ascii_hexdigit())
}

fn script(path: &Path) -> Result<Vec<u8>, String> {
    let run = Command::new("perf").args(["script", "-F", "ip,sym,srcline", "-i"]).arg(path).output();
    let output = match run {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(format!(
                "--perf: there is no `perf` here to read {0}; where there is one, `perf script -F ip,sym,srcline -i {0} > samples.txt` \
                 makes a file that --perf takes as well",
                path.display()
            ));
        }
        Err(error) => return Err(format!("--perf: cannot run perf: {error}")),
    };
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it does not say why");
    Err(format!("--perf: perf cannot read {}: {first}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_counted_by_line() {
        let text = "    7f29 pydd.f.fast\n  a.pydd:41\n    7f2a pydd.f.fast\n  a.pydd:43\n    7f2b [unknown]\n  b.c:41\n";
        let samples = Samples::parse(text, "src/a.pydd");
        assert_eq!(samples.by_line, BTreeMap::from([(41, 1), (43, 1)]));
        assert_eq!(samples.in_lines(41..42).to_bits(), 50.0_f64.to_bits());
        assert_eq!(samples.headline(), "2 of 3 samples are in lines of this file; percentages are of these.");
    }

    #[test]
    fn callers_do_not_count() {
        let text = "\n\t 7f29 memcpy\n  mem.c:3\n\t 7f2a pydd.f\n  a.pydd:4\n\n\t 7f2b pydd.f\n  a.pydd:5\n\t 7f2c main\n  a.pydd:9\n";
        let samples = Samples::parse(text, "a.pydd");
        assert_eq!((samples.all, samples.by_line), (2, BTreeMap::from([(5, 1)])));
    }
}
