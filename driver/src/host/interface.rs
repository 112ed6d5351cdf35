//! What a module's functions are to a program without Python.
//!
//! A list of numbers is an array of one axis here: the runtime copies it. What only Python has (dicts, sets, lists of tuples and of lists) is
//! refused by name; the rest of the module can be called.

use pydd_ir::{DType, Export, ExportParam, ExportType, Literal, Module};

/// A type of arguments and results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    Scalar(DType),
    Array {
        dtype: DType,
        rank: u8,
        is_const: bool,
    },
    Sparse {
        dtype: DType,
        index: DType,
        csc: bool,
        is_const: bool,
    },
    Tuple(Vec<Self>),
    /// A value or nothing.
    Maybe(Box<Self>),
}

impl Type {
    /// Words that carry a value.
    pub fn words(&self) -> usize {
        match self {
            Self::Scalar(dtype) => 1 + usize::from(dtype.is_complex()),
            Self::Array { rank, .. } => 2 + 2 * usize::from(*rank),
            Self::Sparse { .. } => 3 * 4 + 2,
            Self::Tuple(items) => items.iter().map(Self::words).sum(),
            Self::Maybe(value) => 1 + value.words(),
        }
    }

    /// What tells versions of a function apart: `float64`, `float64_2d`, of a sparse matrix the type of its indices.
    fn tag(&self) -> String {
        match self {
            Self::Scalar(dtype) => dtype.numpy_name().to_owned(),
            Self::Array { dtype, rank, .. } => format!("{}_{rank}d", dtype.numpy_name()),
            Self::Sparse { dtype, index, .. } => format!("{}_{}", dtype.numpy_name(), index.numpy_name()),
            Self::Tuple(items) => items.iter().map(Self::tag).collect::<Vec<_>>().join("_"),
            Self::Maybe(value) => value.tag(),
        }
    }
}

pub struct Param {
    pub name: String,
    pub ty: Type,
    pub default: Option<Literal>,
}

pub struct Function {
    /// Its place among the module's functions.
    pub index: usize,
    pub name: String,
    /// What a language without overloads puts behind the name: of several versions, the types that tell them apart.
    pub suffix: String,
    /// Whether there are other versions.
    pub is_overloaded: bool,
    pub doc: Option<String>,
    pub params: Vec<Param>,
    pub result: Option<Type>,
    /// Words behind the result that mean nothing here: the tag of a number's own type.
    pub result_words: usize,
}

impl Function {
    pub fn argument_words(&self) -> usize {
        self.params.iter().map(|param| param.ty.words()).sum()
    }
}

/// A function that cannot be called, and why.
pub struct Refused {
    pub name: String,
    pub reason: String,
}

pub struct Interface {
    pub functions: Vec<Function>,
    pub refused: Vec<Refused>,
}

/// The functions of a module.
#[must_use]
pub fn interface(module: &Module) -> Interface {
    let (mut functions, mut refused): (Vec<Function>, Vec<Refused>) = (Vec::new(), Vec::new());
    for (index, export) in module.exports.iter().enumerate() {
        match function(index, export) {
            // Python would never get to a later version that takes the same.
            Ok(made) => {
                let same = |other: &Function| {
                    other.name == made.name
                        && other.params.iter().map(|p| &p.ty).eq(made.params.iter().map(|p| &p.ty))
                };
                if !functions.iter().any(same) {
                    functions.push(made);
                }
            }
            Err(reason) => {
                let name = export.name.clone();
                if !refused.iter().any(|other| other.name == name && other.reason == reason) {
                    refused.push(Refused { name, reason });
                }
            }
        }
    }
    name_versions(&mut functions);
    Interface { functions, refused }
}

fn function(index: usize, export: &Export) -> Result<Function, String> {
    let mut params = Vec::new();
    for param in &export.params {
        // A parameter that is None in this version, or has the value of its default, has nothing to be passed.
        let is_default = matches!(param.ty, ExportType::Constant(_)) && param.default.is_some();
        if param.ty != ExportType::None && !is_default {
            params.push(argument(param)?);
        }
    }
    let (result, tag) = match &export.result {
        ExportType::None => (None, 0),
        ExportType::Either(wide, _) => (Some(Type::Scalar(*wide)), 1),
        other => (Some(of(other, false).map_err(|what| format!("it returns {what}"))?), 0),
    };
    let result_words = result.as_ref().map_or(0, Type::words) + tag;
    let (name, doc) = (export.name.clone(), export.doc.clone());
    Ok(Function {
        index,
        name,
        suffix: String::new(),
        is_overloaded: false,
        doc,
        params,
        result,
        result_words,
    })
}

fn argument(param: &ExportParam) -> Result<Param, String> {
    let refuse = |what: &str| format!("its parameter `{}` is {what}", param.name);
    if param.written && matches!(param.ty, ExportType::List(_)) {
        return Err(refuse("a list that it changes; return a new one, or take an array"));
    }
    let ty = of(&param.ty, !param.written).map_err(|what| refuse(&what))?;
    let default = param.default.clone().filter(|_| matches!(ty, Type::Scalar(_)));
    Ok(Param { name: param.name.clone(), ty, default })
}

/// The type here; or what of it there is not.
fn of(ty: &ExportType, is_const: bool) -> Result<Type, String> {
    let all = |items: &[ExportType]| {
        items.iter().map(|item| of(item, is_const)).collect::<Result<Vec<_>, _>>().map(Type::Tuple)
    };
    Ok(match ty {
        ExportType::Scalar { dtype, .. } => Type::Scalar(*dtype),
        ExportType::Array { dtype, rank } => Type::Array { dtype: *dtype, rank: *rank, is_const },
        ExportType::ReadOnly { dtype, rank } => Type::Array { dtype: *dtype, rank: *rank, is_const: true },
        ExportType::List(dtype) => Type::Array { dtype: *dtype, rank: 1, is_const },
        ExportType::Sparse(s) => Type::Sparse { dtype: s.dtype, index: s.index, csc: s.csc, is_const },
        ExportType::Tuple(items) | ExportType::Items(items) => return all(items),
        ExportType::Maybe(value) => Type::Maybe(Box::new(of(value, is_const)?)),
        ExportType::None => return Err("None".to_owned()),
        ExportType::Constant(_) => return Err("one of several values, which only Python can pass".to_owned()),
        ExportType::Either(..) => return Err("a number of one of several types".to_owned()),
        ExportType::Tuples(_) => return Err("a list of tuples, which only Python can pass".to_owned()),
        ExportType::Lists(_) => {
            return Err("a list of lists or of arrays, which only Python can pass".to_owned());
        }
        ExportType::Dict { value: Some(_), .. } => {
            return Err("a dict, which only Python can pass".to_owned());
        }
        ExportType::Dict { value: None, .. } => return Err("a set, which only Python can pass".to_owned()),
    })
}

/// Gives versions of one name their suffixes.
fn name_versions(functions: &mut [Function]) {
    let tags: Vec<(String, Vec<String>)> = functions
        .iter()
        .map(|function| (function.name.clone(), function.params.iter().map(|param| param.ty.tag()).collect()))
        .collect();
    let mut given: Vec<String> = Vec::new();
    for (function, (name, own)) in functions.iter_mut().zip(&tags) {
        let versions: Vec<&Vec<String>> =
            tags.iter().filter(|(other, _)| other == name).map(|(_, tags)| tags).collect();
        function.is_overloaded = versions.len() > 1;
        if function.is_overloaded {
            let differs = |at: &usize| versions.iter().any(|other| other.get(*at) != own.get(*at));
            function.suffix = (0..own.len()).filter(differs).map(|at| format!("_{}", own[at])).collect();
        }
        // Versions that differ in what a tag does not say are counted.
        let plain = function.suffix.clone();
        let mut count = 1;
        while given.contains(&format!("{name}{}", function.suffix)) {
            count += 1;
            function.suffix = format!("{plain}_{count}");
        }
        given.push(format!("{name}{}", function.suffix));
    }
}
