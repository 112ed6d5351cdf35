//! Classes of memory as LLVM's alias scopes: an access carries the scopes of its own classes and, as
//! `noalias`, those of all others.

use crate::object::Object;
use inkwell::builder::Builder;
use inkwell::values::{InstructionValue, MetadataValue};
use pydd_codegen::emit::Access;
use pydd_ir::alias::SortedSet;

/// The scopes of one function.
#[derive(Default)]
pub struct Scopes<'c> {
    /// By class. Empty where there is nothing to tell apart.
    scopes: Vec<MetadataValue<'c>>,
    made: Vec<(SortedSet<usize>, [MetadataValue<'c>; 2])>,
}

/// Classes past this many share the last scope: lists of scopes are written at each access.
const MOST_SCOPES: usize = 48;

impl<'c> Scopes<'c> {
    /// Declares scopes for `classes` classes at the builder's position, where the function begins.
    pub fn new(object: &Object<'c>, builder: &Builder<'c>, classes: usize) -> Self {
        let mut scopes = Vec::new();
        if classes > 0 && object.options.opt_level > 0 {
            let domain = object.cx.metadata_string(&format!("pydd.{}", object.unique()));
            let domain = object.cx.metadata_node(&[domain.into()]);
            let declare = object.intrinsic("llvm.experimental.noalias.scope.decl", &[]);
            for _ in 0..classes.min(MOST_SCOPES) {
                let name = object.cx.metadata_string(&format!("m{}", object.unique()));
                let scope = object.cx.metadata_node(&[name.into(), domain.into()]);
                // The declaration ties the scope to this run of the function, for when it is inlined in a loop.
                let node = object.cx.metadata_node(&[scope.into()]);
                builder.build_call(declare, &[node.into()], "").expect("positioned");
                scopes.push(scope);
            }
        }
        Self { scopes, made: Vec::new() }
    }

    /// Says that an instruction touches the memory of `access` only.
    pub fn mark(&mut self, object: &Object<'c>, instruction: InstructionValue<'c>, access: &Access) {
        if self.scopes.is_empty() || access.classes.is_empty() {
            return;
        }
        let wanted = access.classes.iter().map(|class| class.min(MOST_SCOPES - 1)).collect();
        let [own, others] = self.nodes(object, &wanted);
        let set = |kind, node| {
            instruction.set_metadata(node, object.cx.get_kind_id(kind)).expect("a node");
        };
        set("alias.scope", own);
        set("noalias", others);
    }

    /// Says that an instruction touches no memory that has a class.
    pub fn mark_apart(&mut self, object: &Object<'c>, instruction: InstructionValue<'c>) {
        if self.scopes.is_empty() {
            return;
        }
        let [_, all] = self.nodes(object, &SortedSet::from_iter([]));
        instruction.set_metadata(all, object.cx.get_kind_id("noalias")).expect("a node");
    }

    fn nodes(&mut self, object: &Object<'c>, wanted: &SortedSet<usize>) -> [MetadataValue<'c>; 2] {
        if let Some((_, nodes)) = self.made.iter().find(|(made, _)| made == wanted) {
            return *nodes;
        }
        let node = |inside: bool| {
            let scopes = self.scopes.iter().enumerate().filter(|&(i, _)| wanted.contains(i) == inside);
            let scopes: Vec<_> = scopes.map(|(_, &scope)| scope.into()).collect();
            object.cx.metadata_node(&scopes)
        };
        let nodes = [node(true), node(false)];
        self.made.push((wanted.clone(), nodes));
        nodes
    }
}
