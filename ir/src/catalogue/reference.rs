//! The library's reference, made from the catalogue.

use super::{Default, Entry, Param, Space, TABLES};

/// Titles of [`TABLES`].
const TITLES: [&str; TABLES.len()] = [
    "Elementwise functions",
    "Reductions",
    "Making arrays",
    "Shapes and views",
    "Functions that call a function",
    "Linear algebra",
    "Fourier transforms",
    "Functions with rules of their own",
    "Written in the language",
    "Sparse matrices",
    "Making sparse matrices",
    "Joining and splitting",
    "Sorting and searching",
    "Statistics",
    "Numerical functions",
    "Parts of arrays and grids",
    "Signal processing and number theory",
    "Dicts and sets",
    "Heaps",
    "Sorted lists",
    "Iterators and operators",
    "Functions of complex numbers",
    "Special functions",
    "Random numbers",
    "Python's random numbers",
    "SciPy's other modules",
];

/// All functions as a Markdown page.
#[must_use]
pub fn page() -> String {
    let mut page = "# Library\n\nShapes, types and values are those of NumPy 2 and of Python.\n".to_owned();
    for (title, table) in sections() {
        page += &format!("\n## {title}\n\n");
        for entry in table.iter().filter(|entry| spellings(entry).next().is_some()) {
            page += &format!("- {}\n", line(entry));
        }
    }
    page
}

/// What is said of a function: `np.sum`, `math.floor`, `zeros`, `.astype`. A name without a prefix finds all that have it.
#[must_use]
pub fn describe(name: &str) -> Option<String> {
    let lines: Vec<String> = TABLES
        .iter()
        .copied()
        .flatten()
        .filter(|entry| spellings(entry).any(|(space, own)| name == own || name == space.spelled(own)))
        .map(|entry| line(entry) + "\n")
        .collect();
    (!lines.is_empty()).then(|| lines.concat())
}

/// All names as programs write them, in the catalogue's order.
pub fn all_names() -> impl Iterator<Item = String> {
    TABLES
        .iter()
        .copied()
        .flatten()
        .flat_map(|entry| spellings(entry).map(|(space, name)| space.spelled(name)))
}

/// Titles and tables, in the page's order.
pub fn sections() -> impl Iterator<Item = (&'static str, &'static [Entry])> {
    TITLES.into_iter().zip(TABLES.iter().copied())
}

/// The names that programs may use, in the order of spaces.
pub fn spellings(entry: &Entry) -> impl Iterator<Item = (Space, &'static str)> + use<> {
    let mut names: Vec<_> =
        entry.names().iter().copied().filter(|(space, _)| *space != Space::Internal).collect();
    names.sort_by_key(|&(space, _)| space);
    names.into_iter()
}

/// `np.sum(a, axis=None)`, `.sum`: what it does.
#[must_use]
pub fn line(entry: &Entry) -> String {
    let mut names: Vec<String> = spellings(entry).map(|(space, name)| space.spelled(name)).collect();
    names.dedup();
    let mut shown = vec![format!("`{}`", call(entry, &names[0]))];
    shown.extend(names[1..].iter().map(|name| format!("`{name}`")));
    format!("{}: {}", shown.join(", "), entry.doc)
}

/// A call by a name, with its parameters and what stands for those that it leaves out: `np.sum(a, axis=None)`.
#[must_use]
pub fn call(entry: &Entry, name: &str) -> String {
    let params: Vec<String> = entry.params.iter().map(param).collect();
    if params.is_empty() { name.to_owned() } else { format!("{name}({})", params.join(", ")) }
}

fn param(param: &Param) -> String {
    let name = param.name;
    match param.default {
        Default::Required => name.to_owned(),
        Default::None | Default::LeftOut => format!("{name}=None"),
        Default::Bool(value) => format!("{name}={}", if value { "True" } else { "False" }),
        Default::Int(value) => format!("{name}={value}"),
        Default::Rest => format!("*{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_each_spelling() {
        let line = describe("np.prod").unwrap();
        assert_eq!(line, describe(".prod").unwrap());
        assert!(line.contains("`np.prod(a, axis=None"), "{line}");
        assert!(describe("prod").unwrap().contains(&line));
        assert_eq!(describe("np.no_such"), None);
    }

    #[test]
    fn the_page_has_every_name() {
        let page = page();
        for name in all_names() {
            assert!(page.contains(&name), "{name}");
        }
    }
}
