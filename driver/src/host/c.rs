//! The header by which C calls a module's functions.

use crate::host::interface::{Function, Interface, Type};
use crate::host::names::{apart_from, in_c};
use crate::host::{doc, symbol};
use pydd_ir::{DType, Literal, Module};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// `kernels.h`.
pub fn header(module: &Module, interface: &Interface) -> String {
    let guard = format!("PYDD_{}_H", module.name.to_uppercase());
    let symbol = symbol(module);
    let mut out = format!(
        "/* Made by pyddc {} of {}: do not edit. */\n#ifndef {guard}\n#define {guard}\n\n#include \"pydd.h\"\n",
        env!("CARGO_PKG_VERSION"),
        module.file.replace("*/", "* /")
    );
    for (dtype, rank) in arrays(interface) {
        out.push_str(&array_types(dtype, rank));
    }
    for (dtype, index, csc) in matrices(interface) {
        out.push_str(&matrix_types(dtype, index, csc));
    }
    out.push_str("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    out.push_str(&format!("\nconst pydd_module *{symbol}(void);\n"));
    let mut names = Vec::new();
    for f in &interface.functions {
        let name = apart_from(&format!("{}_{}{}", module.name, f.name, f.suffix), &names);
        out.push('\n');
        out.push_str(&function(&name, &symbol, f));
        names.push(name);
    }
    for refused in &interface.refused {
        out.push_str(&format!(
            "\n/* {}_{}() is not here: {}. */\n",
            module.name, refused.name, refused.reason
        ));
    }
    out.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    out
}

/// C's name of a type of numbers.
pub fn number(dtype: DType) -> String {
    match dtype {
        DType::Bool => "bool".to_owned(),
        DType::F32 => "float".to_owned(),
        DType::F64 => "double".to_owned(),
        DType::C64 | DType::C128 => format!("pydd_{}", dtype.numpy_name()),
        int => format!("{}_t", int.numpy_name()),
    }
}

/// All types of arrays that functions take and give.
fn arrays(interface: &Interface) -> BTreeSet<(DType, u8)> {
    let mut all = BTreeSet::new();
    for_types(interface, &mut |ty| match *ty {
        Type::Array { dtype, rank, .. } => {
            all.insert((dtype, rank));
        }
        Type::Sparse { dtype, index, .. } => all.extend([(index, 1), (dtype, 1)]),
        _ => {}
    });
    all
}

fn matrices(interface: &Interface) -> BTreeSet<(DType, DType, bool)> {
    let mut all = BTreeSet::new();
    for_types(interface, &mut |ty| {
        if let Type::Sparse { dtype, index, csc, .. } = *ty {
            all.insert((dtype, index, csc));
        }
    });
    all
}

fn for_types(interface: &Interface, visit: &mut impl FnMut(&Type)) {
    fn of(ty: &Type, visit: &mut impl FnMut(&Type)) {
        visit(ty);
        match ty {
            Type::Tuple(items) => items.iter().for_each(|item| of(item, visit)),
            Type::Maybe(value) => of(value, visit),
            _ => {}
        }
    }
    for function in &interface.functions {
        function.params.iter().for_each(|param| of(&param.ty, visit));
        function.result.iter().for_each(|ty| of(ty, visit));
    }
}

/// `pydd_const_float64_2d`.
fn array_name(dtype: DType, rank: u8, is_const: bool) -> String {
    format!("pydd_{}{}_{rank}d", if is_const { "const_" } else { "" }, dtype.numpy_name())
}

/// `pydd_csr_float64_int32`.
fn matrix_name(dtype: DType, index: DType, csc: bool, is_const: bool) -> String {
    let (is_const, form) = (if is_const { "const_" } else { "" }, if csc { "csc" } else { "csr" });
    format!("pydd_{is_const}{form}_{}_{}", dtype.numpy_name(), index.numpy_name())
}

/// The two structures for arrays of a type, and what makes them. Other headers of the program may have them as well.
fn array_types(dtype: DType, rank: u8) -> String {
    let (name, number) = (array_name(dtype, rank, false), number(dtype));
    let plain = name.trim_start_matches("pydd_");
    let guard = name.to_uppercase();
    let axes = if rank == 0 {
        String::new()
    } else {
        format!("    int64_t shape[{rank}];\n    int64_t strides[{rank}];\n")
    };
    let sizes: String = (0..rank).map(|axis| format!(", int64_t n{axis}")).collect();
    let set: String = (0..rank).map(|axis| format!("    a.shape[{axis}] = n{axis};\n")).collect();
    let strides =
        if rank == 0 { String::new() } else { format!("    pydd_row_major({rank}, a.shape, a.strides);\n") };
    let copy = if rank == 0 {
        String::new()
    } else {
        "    memcpy(b.shape, a.shape, sizeof b.shape);\n    memcpy(b.strides, a.strides, sizeof b.strides);\n"
            .to_owned()
    };
    let of_axes = match rank {
        0 => "An array of no axes.".to_owned(),
        1 => "An array of one axis; its stride counts elements.".to_owned(),
        n => format!("An array of {n} axes; strides count elements."),
    };
    let mut out = format!(
        "\n#ifndef {guard}\n#define {guard}\n/* {of_axes} `pydd_make_…` is for elements in rows. */\n"
    );
    for (qualifier, name) in [("", name.clone()), ("const ", array_name(dtype, rank, true))] {
        let make = name.replacen("pydd_", "pydd_make_", 1);
        write!(
            out,
            "typedef struct {name} {{\n    {qualifier}{number} *data;\n{axes}    void *owner;\n}} {name};\n\n\
             static inline {name} {make}({qualifier}{number} *data{sizes})\n{{\n    {name} a;\n    a.data = data;\n{set}{strides}    \
             a.owner = NULL;\n    return a;\n}}\n\n"
        )
        .expect("a String takes all");
    }
    let (both, is_const) = (array_name(dtype, rank, false), array_name(dtype, rank, true));
    write!(
        out,
        "/* The same array, to be read. */\nstatic inline {is_const} pydd_as_const_{plain}({both} a)\n{{\n    {is_const} b;\n    \
         b.data = a.data;\n{copy}    b.owner = a.owner;\n    return b;\n}}\n#endif\n"
    )
    .expect("a String takes all");
    out
}

fn matrix_types(dtype: DType, index: DType, csc: bool) -> String {
    let guard = matrix_name(dtype, index, csc, false).to_uppercase();
    let lines = if csc { "columns" } else { "rows" };
    let mut out = format!(
        "\n#ifndef {guard}\n#define {guard}\n/* A sparse matrix in compressed {lines}: indptr has a place for each of the {lines} and one more. A \
         result's three arrays have an owner each. */\n"
    );
    for is_const in [false, true] {
        let name = matrix_name(dtype, index, csc, is_const);
        let (index, data) = (array_name(index, 1, is_const), array_name(dtype, 1, is_const));
        write!(
            out,
            "typedef struct {name} {{\n    {index} indptr;\n    {index} indices;\n    {data} data;\n    int64_t rows;\n    int64_t columns;\n}} {name};\n"
        )
        .expect("a String takes all");
    }
    out.push_str("#endif\n");
    out
}

/// A function's parameters in C, its statements, and where it is in the words.
#[derive(Default)]
struct Writer {
    params: Vec<String>,
    names: Vec<String>,
    body: String,
    word: usize,
}

fn function(name: &str, symbol: &str, f: &Function) -> String {
    let mut args = Writer::default();
    for param in &f.params {
        args.argument(&in_c(&param.name), &param.ty);
    }
    let mut results = Writer { names: args.names.clone(), ..Writer::default() };
    if let Some(ty) = &f.result {
        results.result("result", ty);
    }
    let notes: Vec<String> = f
        .params
        .iter()
        .filter_map(|p| {
            Some(format!("In Python `{}` may be left out: {}.", p.name, literal(p.default.as_ref()?)))
        })
        .collect();
    let params: Vec<String> = args.params.iter().chain(&results.params).cloned().collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let call = format!("pydd_call({symbol}(), {}, pydd_args, pydd_results)", f.index);
    let rest = if results.body.is_empty() {
        format!("    return {call};\n")
    } else {
        format!(
            "    int32_t pydd_status = {call};\n    if (pydd_status == PYDD_OK) {{\n{}    }}\n    return pydd_status;\n",
            results.body
        )
    };
    let (arg_words, result_words) = (f.argument_words().max(1), f.result_words.max(1));
    let none = if args.body.is_empty() { "    pydd_args[0] = 0;\n" } else { "" };
    format!(
        "{}static inline int32_t {name}({params})\n{{\n    uint64_t pydd_args[{arg_words}], pydd_results[{result_words}];\n{none}{}{rest}}}\n",
        doc::comment(f.doc.as_deref(), &notes),
        args.body
    )
}

/// A literal in C, which C++ reads as well.
pub fn literal(value: &Literal) -> String {
    let float = |bits: u64| {
        let value = f64::from_bits(bits);
        if value.is_finite() {
            format!("{value:?}")
        } else {
            format!("(double){}", if value.is_nan() { "NAN" } else { "INFINITY" })
        }
    };
    match value {
        Literal::Bool(value) => value.to_string(),
        Literal::Int(i64::MIN) => "INT64_MIN".to_owned(),
        Literal::Int(value) => value.to_string(),
        Literal::Float(bits) => float(*bits),
        Literal::Complex(re, im) => format!("{{{}, {}}}", float(*re), float(*im)),
        Literal::Str(text) => format!("{text:?}"),
    }
}

impl Writer {
    fn declare(&mut self, ty: &str, name: &str) -> String {
        let name = apart_from(name, &self.names);
        let space = if ty.ends_with('*') { "" } else { " " };
        self.params.push(format!("{ty}{space}{name}"));
        self.names.push(name.clone());
        name
    }

    fn line(&mut self, line: &str, words: usize) {
        self.body.push_str(line);
        self.word += words;
    }

    fn argument(&mut self, name: &str, ty: &Type) {
        match ty {
            Type::Scalar(dtype) => {
                let name = self.declare(&number(*dtype), name);
                self.put_number(&name, *dtype);
            }
            Type::Array { dtype, rank, is_const } => {
                let name = self.declare(&array_name(*dtype, *rank, *is_const), name);
                self.put_array(&name, *rank);
            }
            Type::Sparse { dtype, index, csc, is_const } => {
                let name = self.declare(&matrix_name(*dtype, *index, *csc, *is_const), name);
                for part in ["indptr", "indices", "data"] {
                    self.put_array(&format!("{name}.{part}"), 1);
                }
                for part in ["rows", "columns"] {
                    self.put_number(&format!("{name}.{part}"), DType::I64);
                }
            }
            Type::Tuple(items) => {
                for (i, item) in items.iter().enumerate() {
                    self.argument(&format!("{name}_{i}"), item);
                }
            }
            // Of results alone.
            Type::Maybe(_) => {}
        }
    }

    fn put_number(&mut self, name: &str, dtype: DType) {
        let at = self.word;
        let words = Type::Scalar(dtype).words();
        let value = match dtype {
            DType::Bool => format!("{name} ? 1 : 0"),
            DType::F32 => format!("pydd_word_of_float({name})"),
            DType::F64 => format!("pydd_word_of_double({name})"),
            DType::C64 | DType::C128 => {
                let put = format!("    pydd_put_{}(pydd_args + {at}, {name});\n", dtype.numpy_name());
                return self.line(&put, words);
            }
            _ => format!("(uint64_t){name}"),
        };
        self.line(&format!("    pydd_args[{at}] = {value};\n"), words);
    }

    fn put_array(&mut self, name: &str, rank: u8) {
        let axes = if rank == 0 { "NULL, NULL".to_owned() } else { format!("{name}.shape, {name}.strides") };
        let at = self.word;
        let line =
            format!("    pydd_put_array(pydd_args + {at}, {name}.data, {name}.owner, {rank}, {axes});\n");
        self.line(&line, 2 + 2 * usize::from(rank));
    }

    fn result(&mut self, name: &str, ty: &Type) {
        match ty {
            Type::Scalar(dtype) => {
                let name = self.declare(&format!("{} *", number(*dtype)), name);
                self.take_number(&format!("*{name}"), *dtype);
            }
            Type::Array { dtype, rank, is_const } => {
                let name = self.declare(&format!("{} *", array_name(*dtype, *rank, *is_const)), name);
                self.take_array(&format!("{name}->"), *dtype, *rank, *is_const);
            }
            Type::Sparse { dtype, index, csc, is_const } => {
                let name = self.declare(&format!("{} *", matrix_name(*dtype, *index, *csc, *is_const)), name);
                for (part, dtype) in [("indptr", index), ("indices", index), ("data", dtype)] {
                    self.take_array(&format!("{name}->{part}."), *dtype, 1, *is_const);
                }
                for part in ["rows", "columns"] {
                    self.take_number(&format!("{name}->{part}"), DType::I64);
                }
            }
            Type::Tuple(items) => {
                for (i, item) in items.iter().enumerate() {
                    self.result(&format!("{name}_{i}"), item);
                }
            }
            Type::Maybe(value) => {
                let flag = self.declare("bool *", &format!("has_{name}"));
                self.take_number(&format!("*{flag}"), DType::Bool);
                self.result(name, value);
            }
        }
    }

    fn take_number(&mut self, target: &str, dtype: DType) {
        let at = self.word;
        let value = match dtype {
            DType::Bool => format!("(pydd_results[{at}] & 1) != 0"),
            DType::F32 => format!("pydd_float_of_word(pydd_results[{at}])"),
            DType::F64 => format!("pydd_double_of_word(pydd_results[{at}])"),
            DType::C64 | DType::C128 => format!("pydd_take_{}(pydd_results + {at})", dtype.numpy_name()),
            _ => format!("({})pydd_results[{at}]", number(dtype)),
        };
        self.line(&format!("        {target} = {value};\n"), Type::Scalar(dtype).words());
    }

    fn take_array(&mut self, target: &str, dtype: DType, rank: u8, is_const: bool) {
        let at = self.word;
        let pointer = format!("{}{} *", if is_const { "const " } else { "" }, number(dtype));
        let axes = if rank == 0 {
            String::new()
        } else {
            format!("        pydd_take_axes(pydd_results + {at}, {rank}, {target}shape, {target}strides);\n")
        };
        let line = format!(
            "        {target}data = ({pointer})(uintptr_t)pydd_results[{at}];\n        {target}owner = (void *)(uintptr_t)pydd_results[{}];\n{axes}",
            at + 1
        );
        self.line(&line, 2 + 2 * usize::from(rank));
    }
}
