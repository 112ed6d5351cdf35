//! Makes a failing program smaller, as long as it fails in the same way.

use super::tree::{Part, Program, Stmt};

/// The smallest program found; `fails` says whether a candidate still shows the failure.
pub fn shrink(program: Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program;
    loop {
        let smaller = candidates(&best).into_iter().find(&mut fails);
        match smaller {
            Some(program) => best = program,
            None => return best,
        }
    }
}

/// Smaller programs, the boldest first.
fn candidates(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    for i in 0..program.funcs.len() {
        let mut without = program.clone();
        let name = without.funcs.remove(i).name;
        if !without.text().contains(&format!("{name}(")) {
            found.push(without);
        }
    }
    for i in 0..program.ufuncs.len() {
        let mut without = program.clone();
        let name = without.ufuncs.remove(i).name;
        if !without.text().contains(&format!("{name}(")) {
            found.push(without);
        }
        let without_case = |j: usize| {
            let mut without = program.clone();
            without.ufuncs[i].cases.remove(j);
            without
        };
        found.extend((0..program.ufuncs[i].cases.len()).map(without_case));
        for body in bodies(&program.ufuncs[i].body) {
            let mut changed = program.clone();
            changed.ufuncs[i].body = body;
            found.push(changed);
        }
    }
    for (i, func) in program.funcs.iter().enumerate() {
        for j in (0..func.cases.len()).filter(|_| func.cases.len() > 1 || program.funcs.len() > 1) {
            let mut without = program.clone();
            without.funcs[i].cases.remove(j);
            let has_cases = without.funcs.iter().any(|f| !f.cases.is_empty());
            if has_cases || without.ufuncs.iter().any(|u| !u.cases.is_empty()) {
                found.push(without);
            }
        }
        for body in bodies(&func.body) {
            let mut changed = program.clone();
            changed.funcs[i].body = body;
            found.push(changed);
        }
    }
    found
}

/// A block with one thing less in it.
fn bodies(body: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut found = Vec::new();
    for i in 0..body.len() {
        let with = |replacement: Vec<Stmt>| {
            let mut changed = body.to_vec();
            changed.splice(i..=i, replacement);
            changed
        };
        if !is_return(&body[i]) {
            found.push(with(vec![]));
        }
        for (k, inner) in body[i].bodies.iter().enumerate() {
            found.push(with(inner.clone()));
            for smaller in bodies(inner) {
                let mut stmt = body[i].clone();
                stmt.bodies[k] = smaller;
                found.push(with(vec![stmt]));
            }
        }
        for line in lines(&body[i].line) {
            found.push(with(vec![Stmt { line, bodies: body[i].bodies.clone() }]));
        }
    }
    found
}

fn is_return(stmt: &Stmt) -> bool {
    matches!(stmt.line.first(), Some(Part::Text(text)) if text.starts_with("return"))
}

/// Parts with one subexpression replaced by a part of it of the same type.
fn lines(parts: &[Part]) -> Vec<Vec<Part>> {
    let mut found = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let Part::Sub(expr) = part else { continue };
        let with = |replacement: Part| {
            let mut changed = parts.to_vec();
            changed[i] = replacement;
            changed
        };
        for inner in &expr.parts {
            if let Part::Sub(sub) = inner
                && sub.ty == expr.ty
            {
                found.push(with(Part::Sub(sub.clone())));
            }
        }
        for smaller in lines(&expr.parts) {
            let mut changed = expr.clone();
            changed.parts = smaller;
            found.push(with(Part::Sub(changed)));
        }
    }
    found
}
