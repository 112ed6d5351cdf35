//! Module to text.

use super::lexer::{is_func_name, quoted};
use super::{attrs, exports};
use crate::alias::{MemoryInfo, Summaries};
use crate::entity::{Block, Entity, FuncRef, Op, Value};
use crate::func::{Function, Loc, Module};
use crate::op::{Level, OpKind, Version};

/// What is printed besides the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrintOptions {
    /// Alias classes of values, and what operations read and write.
    pub memory: bool,
    /// Places in the source.
    pub locs: bool,
}

impl Default for PrintOptions {
    fn default() -> Self {
        Self { memory: true, locs: false }
    }
}

impl PrintOptions {
    /// Code alone.
    pub const PLAIN: Self = Self { memory: false, locs: false };
    /// All there is.
    pub const FULL: Self = Self { memory: true, locs: true };
}

/// The text of a module.
#[must_use]
pub fn print(module: &Module, options: &PrintOptions) -> String {
    let mut out = header(module, options);
    for export in &module.exports {
        out += &exports::print_export(export, |callee| func_name(module, callee));
    }
    let summaries = options.memory.then(|| Summaries::of_callees(module));
    for func in module.funcs.values() {
        if !out.is_empty() {
            out.push('\n');
        }
        let memory = summaries.as_ref().map(|summaries| MemoryInfo::new(func, summaries));
        out += &Printer::new(module, func, memory, options).function();
    }
    out
}

/// The text of one function.
#[must_use]
pub fn print_function(module: &Module, func: FuncRef, options: &PrintOptions) -> String {
    let func = &module.funcs[func];
    let memory = options.memory.then(|| MemoryInfo::new(func, &Summaries::of_callees(module)));
    Printer::new(module, func, memory, options).function()
}

/// The first line of one operation, values numbered as in the text of its function.
#[must_use]
pub fn print_op(module: &Module, func: &Function, op: Op) -> String {
    let mut printer = Printer::new(module, func, None, &PrintOptions::PLAIN);
    printer.op_header(op);
    printer.out
}

fn header(module: &Module, options: &PrintOptions) -> String {
    let mut out = String::new();
    if !module.name.is_empty() || !module.file.is_empty() || module.doc.is_some() {
        out += &format!("module {}", quoted(&module.name));
        if !module.file.is_empty() {
            out += &format!(" file {}", quoted(&module.file));
        }
        if let Some(doc) = &module.doc {
            out += &format!(" doc {}", quoted(doc));
        }
        out.push('\n');
    }
    for part in module.parts.iter().filter(|_| options.locs) {
        out += &format!("part {} {} {} {}\n", part.start, quoted(&part.file), part.line, part.indent);
    }
    if options.locs && !module.scopes.is_empty() {
        let scopes: Vec<String> = module.scopes.iter().map(|scope| quoted(scope)).collect();
        out += &format!("scopes {}\n", scopes.join(", "));
    }
    for class in &module.exceptions {
        let doc = class.doc.as_ref().map(|doc| format!(" doc {}", quoted(doc))).unwrap_or_default();
        out += &format!("exception {}({}){doc}\n", quoted(&class.name), class.base);
    }
    out
}

fn func_name(module: &Module, func: FuncRef) -> String {
    match module.funcs.get(func) {
        Some(func) => at_name(&func.name),
        None => format!("@\"missing {func}\""),
    }
}

fn at_name(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(is_func_name);
    if plain { format!("@{name}") } else { format!("@{}", quoted(name)) }
}

struct Printer<'a> {
    module: &'a Module,
    func: &'a Function,
    memory: Option<MemoryInfo>,
    locs: bool,
    /// For each value its number, if it is printed.
    numbers: Vec<Option<u32>>,
    out: String,
    indent: usize,
}

impl<'a> Printer<'a> {
    fn new(
        module: &'a Module,
        func: &'a Function,
        memory: Option<MemoryInfo>,
        options: &PrintOptions,
    ) -> Self {
        let mut numbers = vec![None; func.values.len()];
        let mut next = 0;
        number_block(func, func.entry, &mut numbers, &mut next);
        Self { module, func, memory, locs: options.locs, numbers, out: String::new(), indent: 0 }
    }

    fn function(mut self) -> String {
        let func = self.func;
        self.out += &format!("func {} ", at_name(&func.name));
        self.out += match func.level {
            Level::Array => "array",
            Level::Loop => "loop",
        };
        self.out += match func.version {
            Version::Any => "",
            Version::Fast => " fast",
            Version::General => " general",
        };
        if func.device {
            self.out += " device";
        }
        if func.recursive {
            self.out += " recursive";
        }
        if let Some(operation) = &func.operation {
            self.out += &format!(" operation {}", quoted(operation));
        }
        if func.slots > 0 {
            self.out += &format!(" slots={}", func.slots);
        }
        if let Some(region) = &func.region {
            self.out += &format!(" region[{}]", super::sharing::region(region));
        }
        self.out.push(' ');
        self.params(func.params());
        let results: Vec<String> = func.results.iter().map(ToString::to_string).collect();
        self.out += &format!(" -> ({}) {{\n", results.join(", "));
        self.ops(func.entry);
        self.out += "}\n";
        self.out
    }

    fn params(&mut self, params: &[Value]) {
        self.out.push('(');
        self.bindings(params);
        self.out.push(')');
    }

    /// `%0: i64, %1: array<f64, 1> in m0`
    fn bindings(&mut self, values: &[Value]) {
        for (i, &value) in values.iter().enumerate() {
            if i > 0 {
                self.out += ", ";
            }
            self.value(value);
            self.out += &format!(": {}", self.func.ty(value));
            if let Some(memory) = &self.memory
                && !memory.classes(value).is_empty()
            {
                self.out += &format!(" in {}", memory.classes(value));
            }
        }
    }

    fn value(&mut self, value: Value) {
        match self.numbers.get(value.index()).copied().flatten() {
            Some(number) => self.out += &format!("%{number}"),
            None => self.out += &format!("%undefined.{}", value.index()),
        }
    }

    fn ops(&mut self, block: Block) {
        self.indent += 1;
        for &op in &self.func.blocks[block].ops {
            self.out += &"  ".repeat(self.indent);
            self.op(op);
        }
        self.indent -= 1;
    }

    fn op(&mut self, op: Op) {
        self.op_header(op);
        for (i, &region) in self.func.ops[op].regions.iter().enumerate() {
            self.out += if i == 0 { " " } else { " else " };
            self.out += if self.func.blocks[region].cold { "cold {\n" } else { "{\n" };
            let params = &self.func.blocks[region].params;
            if !params.is_empty() {
                self.out += &"  ".repeat(self.indent);
                self.params(params);
                self.out += ":\n";
            }
            self.ops(region);
            self.out += &"  ".repeat(self.indent);
            self.out.push('}');
        }
        self.out.push('\n');
    }

    fn op_header(&mut self, op: Op) {
        let data = &self.func.ops[op];
        if !data.results.is_empty() {
            self.bindings(&data.results);
            self.out += " = ";
        }
        self.out += data.kind.mnemonic();
        let attributes = attrs::attributes(&data.kind, |callee| func_name(self.module, callee));
        if !attributes.is_empty() {
            self.out += &format!("[{attributes}]");
        }
        if let OpKind::Const(literal) = &data.kind {
            let ty = data.results.first().map_or(crate::types::Type::Str, |&r| self.func.ty(r));
            self.out += &format!(" {}", attrs::literal(literal, ty));
        }
        for (i, &arg) in data.args.iter().enumerate() {
            self.out += if i == 0 { " " } else { ", " };
            self.value(arg);
        }
        self.effects(op);
        if self.locs {
            self.location(data.loc);
        }
    }

    fn effects(&mut self, op: Op) {
        let Some(memory) = &self.memory else { return };
        let effects = memory.effects(op);
        if !effects.reads.is_empty() {
            self.out += &format!(" !r {}", effects.reads);
        }
        let changes = effects.changes();
        if !changes.is_empty() {
            self.out += &format!(" !w {changes}");
        }
    }

    fn location(&mut self, loc: Loc) {
        if loc == Loc::default() {
            return;
        }
        self.out += &format!(" at {}:{}", loc.line, loc.column);
        if let Some(scope) = self.module.scopes.get(loc.scope as usize) {
            self.out += &format!(" in {}", quoted(scope));
        }
    }
}

/// Numbers values in print order.
fn number_block(func: &Function, block: Block, numbers: &mut [Option<u32>], next: &mut u32) {
    number(&func.blocks[block].params, numbers, next);
    for &op in &func.blocks[block].ops {
        number(&func.ops[op].results, numbers, next);
        for &region in &func.ops[op].regions {
            number_block(func, region, numbers, next);
        }
    }
}

fn number(values: &[Value], numbers: &mut [Option<u32>], next: &mut u32) {
    for &value in values {
        numbers[value.index()] = Some(*next);
        *next += 1;
    }
}
