//! A group of operations as a drawing (SVG): in layers, data going down.

use std::fmt::Write;

use pydd_ir::Loc;
use pydd_passes::report::picture::{Data, Picture};

use super::html::escape;

/// More nodes than that tell nobody anything.
const MOST: usize = 48;

const HEIGHT: usize = 34;
/// From the top of a layer to the top of the next one.
const LAYER: usize = 68;
const GAP: usize = 16;
const MARGIN: usize = 8;

struct Placed {
    left: usize,
    top: usize,
    width: usize,
}

impl Placed {
    const fn middle(&self) -> usize {
        self.left + self.width / 2
    }
}

/// The drawing; nothing where it would be too large. `is_stored` says whether an array made at a place is in memory after all, `number`
/// which number a line has in its file.
#[must_use]
pub fn svg(
    picture: &Picture,
    is_stored: impl Fn(Loc) -> bool,
    number: impl Fn(u32) -> u32,
    id: usize,
) -> Option<String> {
    if picture.nodes.is_empty() || picture.nodes.len() > MOST {
        return None;
    }
    let placed = place(picture);
    let width = placed.iter().map(|node| node.left + node.width).max().unwrap_or(0) + MARGIN;
    let height = placed.iter().map(|node| node.top + HEIGHT).max().unwrap_or(0) + MARGIN;
    let mut out = format!(
        "<svg role=\"img\" aria-label=\"operations of one loop\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\
         <defs><marker id=\"tip{id}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>"
    );
    for edge in &picture.edges {
        let (from, to) = (&placed[edge.from], &placed[edge.to]);
        let (x, y, to_x, to_y) = (from.middle(), from.top + HEIGHT, to.middle(), to.top);
        let bend = usize::midpoint(y, to_y);
        let passed = match edge.data {
            Data::Passed => true,
            Data::Stored(loc) => !is_stored(loc),
        };
        let class = if passed { " class=\"passed\"" } else { "" };
        let _ = write!(
            out,
            "<path{class} d=\"M{x} {y}C{x} {bend} {to_x} {bend} {to_x} {to_y}\" marker-end=\"url(#tip{id})\"/>"
        );
        if !edge.name.is_empty() {
            let (x, y) = (usize::midpoint(x, to_x), bend.saturating_sub(3));
            let _ = write!(out, "<text class=\"name\" x=\"{x}\" y=\"{y}\">{}</text>", escape(&edge.name));
        }
    }
    for (node, at) in picture.nodes.iter().zip(&placed) {
        let (x, text) = (at.middle(), escape(&node.text));
        let given = node.loc.line == 0;
        let class = if given { " class=\"given\"" } else { "" };
        let _ = write!(
            out,
            "<g{class}><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{HEIGHT}\" rx=\"5\"/>",
            at.left, at.top, at.width
        );
        let y = at.top + if given { 21 } else { 15 };
        let _ = write!(out, "<text x=\"{x}\" y=\"{y}\">{text}</text>");
        if !given {
            let (y, line) = (at.top + 28, number(node.loc.line));
            let _ = write!(out, "<text class=\"place\" x=\"{x}\" y=\"{y}\">line {line}</text>");
        }
        out += "</g>";
    }
    out += "</svg>";
    Some(out)
}

/// Each node below those that it takes data from, under their middle as far as there is room.
fn place(picture: &Picture) -> Vec<Placed> {
    let count = picture.nodes.len();
    let mut layer = vec![0_usize; count];
    for to in 0..count {
        let above = picture.edges.iter().filter(|edge| edge.to == to && edge.from < to);
        layer[to] = above.map(|edge| layer[edge.from] + 1).max().unwrap_or(0);
    }
    // What is given stands right above its first user.
    for node in (0..count).filter(|&node| picture.nodes[node].loc.line == 0) {
        let users = picture.edges.iter().filter(|edge| edge.from == node);
        layer[node] = users.map(|edge| layer[edge.to].saturating_sub(1)).min().unwrap_or(0);
    }
    let widths: Vec<usize> =
        picture.nodes.iter().map(|node| (node.text.chars().count() * 8 + 18).max(54)).collect();
    let layers = layer.iter().max().map_or(0, |last| last + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layers];
    (0..count).for_each(|node| rows[layer[node]].push(node));
    let length =
        |row: &[usize]| row.iter().map(|&node| widths[node] + GAP).sum::<usize>().saturating_sub(GAP);
    let widest = rows.iter().map(|row| length(row)).max().unwrap_or(0);
    let mut middle = vec![0_usize; count];
    let mut placed: Vec<Placed> = (0..count).map(|_| Placed { left: 0, top: 0, width: 0 }).collect();
    for (number, row) in rows.iter_mut().enumerate() {
        let wanted = |node: usize| {
            let above: Vec<usize> = picture
                .edges
                .iter()
                .filter(|edge| edge.to == node && layer[edge.from] < number)
                .map(|edge| middle[edge.from])
                .collect();
            if above.is_empty() { widest / 2 } else { above.iter().sum::<usize>() / above.len() }
        };
        row.sort_by_key(|&node| wanted(node));
        let mut left = MARGIN + (widest - length(row)) / 2;
        for &node in row.iter() {
            placed[node] = Placed { left, top: MARGIN + number * LAYER, width: widths[node] };
            middle[node] = placed[node].middle();
            left += widths[node] + GAP;
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;
    use pydd_passes::report::picture::{Edge, Node};

    fn two(data: Data) -> Picture {
        let loc = Loc { line: 3, column: 1, scope: 0 };
        let nodes =
            vec![Node { text: "x".to_owned(), loc: Loc::default() }, Node { text: "<".to_owned(), loc }];
        Picture { nodes, edges: vec![Edge { from: 0, to: 1, name: String::new(), data }] }
    }

    #[test]
    fn what_is_never_stored_is_dashed() {
        let made = Loc { line: 2, column: 1, scope: 0 };
        let dashed = |data, stored: bool| {
            svg(&two(data), |_| stored, |line| line, 0).unwrap().contains("class=\"passed\"")
        };
        assert!(dashed(Data::Passed, true) && dashed(Data::Stored(made), false));
        assert!(!dashed(Data::Stored(made), true));
    }

    #[test]
    fn data_goes_down_and_texts_are_escaped() {
        let picture = two(Data::Passed);
        let placed = place(&picture);
        assert!(placed[0].top + HEIGHT < placed[1].top);
        assert!(svg(&picture, |_| true, |line| line, 0).unwrap().contains(">&lt;</text>"));
    }
}
