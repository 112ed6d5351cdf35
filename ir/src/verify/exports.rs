//! Rules 20, 21 and 25: names and exports.

use std::collections::BTreeSet;

use super::jumps::list;
use super::typing::fits;
use super::{Check, VerifyError, ensure};
use crate::alias::{Summaries, written_params};
use crate::entity::FuncRef;
use crate::entries::{Entry, Guard};
use crate::func::{Export, ExportType, Module};
use crate::op::{Literal, Version};
use crate::types::Type;

pub(super) fn check(module: &Module, errors: &mut Vec<VerifyError>) {
    let mut push = |func: &str, result: Check| {
        if let Err(fault) = result {
            let (rule, message) = (fault.rule, fault.message);
            errors.push(VerifyError { rule, func: func.to_owned(), op: None, message });
        }
    };
    let mut names = BTreeSet::new();
    for func in module.funcs.values() {
        push(&func.name, ensure(!func.name.is_empty(), 20, || "a function has no name".to_owned()));
        push(&func.name, ensure(names.insert(&func.name), 20, || "there are two of this name".to_owned()));
    }
    let mut seen = BTreeSet::new();
    for export in &module.exports {
        push("", entries(export));
        for entry in &export.entries {
            push("", signature(module, export, entry.func).and_then(|()| version(module, export, entry)));
        }
        push("", params(export, seen.insert(&export.name)));
    }
    // What is written is asked of functions that are right.
    if errors.is_empty() {
        writes(module, errors);
    }
}

fn writes(module: &Module, errors: &mut Vec<VerifyError>) {
    if module.exports.iter().all(|export| export.params.iter().all(|param| param.written)) {
        return;
    }
    let summaries = Summaries::new(module);
    for export in &module.exports {
        let written = written_params(export, &summaries);
        for (param, _) in
            export.params.iter().zip(written).filter(|(param, written)| *written && !param.written)
        {
            let (name, param) = (&export.name, &param.name);
            let message = format!("export \"{name}\": \"{param}\" is written and not marked as written");
            errors.push(VerifyError { rule: 21, func: String::new(), op: None, message });
        }
    }
}

/// Whether each entry is called at times, and one for each call.
fn entries(export: &Export) -> Check {
    let name = &export.name;
    let Some(last) = export.entries.last() else {
        return ensure(false, 25, || format!("export \"{name}\" has no entry"));
    };
    ensure(last.guards.is_empty(), 25, || format!("export \"{name}\": the last entry has guards"))?;
    for (place, entry) in export.entries.iter().enumerate() {
        let mut seen = BTreeSet::new();
        for &guard in &entry.guards {
            ensure(seen.insert(guard), 25, || {
                format!("export \"{name}\": an entry has the guard `{}` twice", guard.name())
            })?;
        }
        let takes_all = |before: &Entry| before.guards.iter().all(|guard| seen.contains(guard));
        ensure(!export.entries[..place].iter().any(takes_all), 25, || {
            format!("export \"{name}\": entry {} is never called: one before it takes its calls", place + 1)
        })?;
    }
    Ok(())
}

/// Whether a function gets what its version relies on. A function that is the only one may be of any version.
fn version(module: &Module, export: &Export, entry: &Entry) -> Check {
    let (name, func) = (&export.name, &module.funcs[entry.func]);
    let wrong = match func.version {
        _ if export.entries.len() == 1 => None,
        Version::Fast => export.open_guards().into_iter().find(|guard| !entry.guards.contains(guard)),
        Version::General => entry.guards.first().copied(),
        Version::Any => None,
    };
    ensure(wrong.is_none(), 25, || {
        let guard = wrong.map_or("", Guard::name);
        let fault = if func.version == Version::Fast { "lacks" } else { "is general and has" };
        format!("export \"{name}\": the entry @{} {fault} the guard `{guard}`", func.name)
    })
}

fn signature(module: &Module, export: &Export, func: FuncRef) -> Check {
    let name = &export.name;
    let Some(func) = module.funcs.get(func) else {
        return ensure(false, 1, || format!("export \"{name}\": there is no function {func}"));
    };
    let mut takes = Vec::new();
    export.params.iter().for_each(|param| param.ty.flatten(&mut takes));
    let mut gives = Vec::new();
    export.result.flatten(&mut gives);
    let params: Vec<Type> = func.params().iter().map(|&p| func.ty(p)).collect();
    ensure(params == takes && func.results == gives, 21, || {
        format!(
            "export \"{name}\" is ({}) -> ({}), but @{} is ({}) -> ({})",
            list(&takes),
            list(&gives),
            func.name,
            list(&params),
            list(&func.results)
        )
    })
}

fn params(export: &Export, first: bool) -> Check {
    let name = &export.name;
    let mut names = BTreeSet::new();
    let (mut defaults, mut keywords, mut named) = (false, false, false);
    for param in &export.params {
        ensure(names.insert(&param.name), 21, || {
            format!("export \"{name}\": two parameters are named \"{}\"", param.name)
        })?;
        // The signature that Python shows is the first version's.
        ensure(!first || !defaults || param.default.is_some() || param.keyword_only, 21, || {
            format!("export \"{name}\": \"{}\" follows a default and has none", param.name)
        })?;
        ensure(!keywords || param.keyword_only, 21, || {
            format!("export \"{name}\": \"{}\" follows one that is only given by its name", param.name)
        })?;
        ensure(!param.positional_only || !named, 21, || {
            format!("export \"{name}\": \"{}\" follows one that may be given by its name", param.name)
        })?;
        named |= !param.positional_only;
        defaults |= param.default.is_some();
        keywords |= param.keyword_only;
        ensure(!param.cast || matches!(param.ty, ExportType::Array { .. }), 21, || {
            format!("export \"{name}\": \"{}\" is converted and is no array", param.name)
        })?;
        let has_columns = matches!(param.ty, ExportType::Array { rank: 2.., .. });
        ensure(!param.column_major || has_columns, 21, || {
            format!("export \"{name}\": \"{}\" is column-major and has no columns", param.name)
        })?;
        let fitting = match (&param.default, &param.ty) {
            (None, _) => true,
            (Some(literal), ExportType::Scalar { dtype, .. }) => fits(literal, Type::Scalar(*dtype)),
            (Some(literal), ExportType::None) => *literal == Literal::Bool(false),
            (Some(literal), ExportType::Constant(value)) => literal == value,
            (Some(_), _) => false,
        };
        ensure(fitting, 21, || {
            format!("export \"{name}\": the default of \"{}\" is of another type", param.name)
        })?;
    }
    Ok(())
}
