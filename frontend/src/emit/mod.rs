//! From the typed program to array IR: locals become SSA values, everything else is written down as it is.

mod expr;
mod liveness;
mod stmt;

use crate::source::SourceFile;
use crate::typed::program::tree::{self, Function, Label, LocalId, Program};
use crate::typed::types::ty::Ty;
use liveness::Liveness;
use pydd_ir::alias::note_written;
use pydd_ir::{
    Block, Builder, Entity, Entry, Export, ExportParam, ExportType, FuncRef, Level, Loc, Module, OpKind,
    Type, Value,
};

/// Lowers a program without errors.
pub fn emit(program: &Program, source: &SourceFile) -> Module {
    let mut module = Module {
        name: program.name.clone(),
        doc: program.doc.clone(),
        file: source.name().to_owned(),
        parts: source.parts().to_vec(),
        exceptions: program.exceptions.clone(),
        ..Module::default()
    };
    for function in &program.functions {
        let scope = module.scope(&function.source_name);
        module.funcs.push(Emitter::function(function, source, scope));
    }
    module.exports = program.exports.iter().map(|e| export(e, program)).collect();
    note_written(&mut module);
    module
}

fn export(export: &tree::Export, program: &Program) -> Export {
    let function = FuncRef::new(export.function.index());
    let ty = |ty: &Ty| ty.export().unwrap_or(ExportType::None);
    let param = |p: &tree::ExportParam| ExportParam {
        name: p.name.clone(),
        ty: p.value.clone().map_or_else(|| ty(&p.ty), ExportType::Constant),
        default: p.default.clone(),
        written: false,
        keyword_only: p.keyword_only,
        positional_only: p.positional_only,
        cast: p.cast,
        column_major: p.column_major,
    };
    Export {
        name: export.name.clone(),
        doc: export.doc.clone(),
        params: export.params.iter().map(param).collect(),
        result: ty(&program.functions[export.function.index()].result),
        entries: vec![Entry::any(function)],
        ufunc: export.ufunc.clone(),
    }
}

struct Emitter<'a> {
    source: &'a Function,
    live: Liveness,
    file: &'a SourceFile,
    scope: u32,
    func: pydd_ir::Function,
    block: Block,
    loc: Loc,
    /// The values of each local here; `None`: not bound on any way that leads here.
    values: Vec<Option<Vec<Value>>>,
    /// What to restore at the end of a region: locals and their values before.
    undo: Vec<(LocalId, Option<Vec<Value>>)>,
    /// The breakable operations around this place.
    labels: Vec<Label>,
    /// By label: the locals handed on.
    joined: Vec<Vec<LocalId>>,
    /// By label: whether something leaves through it.
    left: Vec<bool>,
}

impl<'a> Emitter<'a> {
    fn function(source: &'a Function, file: &'a SourceFile, scope: u32) -> pydd_ir::Function {
        let mut func = pydd_ir::Function::new(&source.name, Level::Array);
        func.results = source.result.flat();
        func.recursive = source.recursive;
        func.operation.clone_from(&source.operation);
        let block = func.entry;
        let mut emitter = Self {
            source,
            live: Liveness::of(source),
            file,
            scope,
            func,
            block,
            loc: Loc::default(),
            values: vec![None; source.locals.len()],
            undo: Vec::new(),
            labels: Vec::new(),
            joined: vec![Vec::new(); source.labels as usize],
            left: vec![false; source.labels as usize],
        };
        for &param in &source.params {
            let types = source.locals[param.index()].ty.flat();
            let values = types.iter().map(|&ty| emitter.func.add_param(block, ty)).collect();
            emitter.set(param, values);
        }
        let diverged = emitter.block(&source.body);
        if !diverged {
            emitter.at(source.span);
            emitter.effect(OpKind::Return, vec![]);
        }
        emitter.func
    }

    /// What follows stands at a place of the source; what has none stands where the last did.
    fn at(&mut self, span: crate::source::Span) {
        if span == crate::source::Span::default() {
            return;
        }
        // Functions of the prelude stand in no file.
        let at = self.source.user.then(|| self.file.line_column(span.start));
        let (line, column) = at.map_or((0, 0), |at| (at.line, at.column));
        self.loc = Loc { line, column, scope: self.scope };
    }

    fn b(&mut self) -> Builder<'_> {
        Builder { func: &mut self.func, block: self.block, loc: self.loc }
    }

    fn effect(&mut self, kind: OpKind, args: Vec<Value>) {
        self.b().effect(kind, args);
    }

    fn set(&mut self, local: LocalId, values: Vec<Value>) {
        let name = &self.source.locals[local.index()].name;
        if let (true, &[value]) = (self.source.user, &values[..]) {
            self.func.add_name(value, name);
        }
        let old = self.values[local.index()].replace(values);
        self.undo.push((local, old));
    }

    /// Builds a region; what it assigns is forgotten at its end. Gives what `build` gives.
    fn region<R>(&mut self, block: Block, build: impl FnOnce(&mut Self) -> R) -> R {
        let mark = self.undo.len();
        let outer = std::mem::replace(&mut self.block, block);
        let result = build(self);
        self.block = outer;
        while self.undo.len() > mark {
            if let Some((local, old)) = self.undo.pop() {
                self.values[local.index()] = old;
            }
        }
        result
    }

    fn local_types(&self, locals: &[LocalId]) -> Vec<Type> {
        let mut types = Vec::new();
        locals.iter().for_each(|l| self.source.locals[l.index()].ty.flatten(&mut types));
        types
    }

    /// The values of these locals one after the other; any values for those not bound.
    fn local_values(&mut self, locals: &[LocalId]) -> Vec<Value> {
        let mut all = Vec::new();
        for &local in locals {
            match &self.values[local.index()] {
                Some(values) => all.extend_from_slice(values),
                None => {
                    let types = self.local_types(&[local]);
                    all.extend(types.into_iter().map(|ty| self.anything(ty)));
                }
            }
        }
        all
    }

    fn set_all(&mut self, locals: &[LocalId], mut values: &[Value]) {
        for &local in locals {
            let count = self.local_types(&[local]).len();
            let (own, rest) = values.split_at(count);
            self.set(local, own.to_vec());
            values = rest;
        }
    }

    /// Some value of a type, for variables that are not bound.
    pub(super) fn anything(&mut self, ty: Type) -> Value {
        match ty {
            Type::Array { rank, .. } => {
                let dims = (0..rank).map(|_| self.b().int(0)).collect();
                self.b().value(OpKind::Empty, dims, ty)
            }
            Type::List { .. } => self.b().value(OpKind::ListNew, vec![], ty),
            Type::Scalar(dtype) => self.b().number(0.0, dtype),
            Type::Str => self.b().value(OpKind::Const(pydd_ir::Literal::Str(String::new())), vec![], ty),
        }
    }
}
