//! Structured control to basic blocks.

use crate::builder::{Ir, Label, V};
use crate::function::{FuncCx, Lowered};
use crate::types::Val;
use inkwell::types::BasicTypeEnum;
use inkwell::values::PhiValue;
use pydd_ir::{Op, Type, Value};

/// A place where control and values from several places meet.
pub struct Join<'c> {
    pub label: Label<'c>,
    /// Type of each value, and whether it is known to be contiguous.
    shapes: Vec<(Type, bool)>,
    incoming: Vec<(Vec<V<'c>>, Label<'c>)>,
}

/// An operation that `break` and `continue` refer to.
pub struct Frame<'c> {
    pub exit: Join<'c>,
    /// None for a `Scope`.
    pub repeat: Option<Join<'c>>,
}

impl<'c> Join<'c> {
    /// Stands at the join and gives the values that arrive.
    pub fn finish(self, ir: &Ir<'c>) -> Vec<Val<'c>> {
        ir.at(self.label);
        let types: Vec<BasicTypeEnum<'c>> =
            self.shapes.iter().flat_map(|&(ty, contiguous)| ir.free_part_types(ty, contiguous)).collect();
        let parts: Vec<V<'c>> = types.iter().enumerate().map(|(i, &ty)| self.part(ir, i, ty)).collect();
        split(ir, &self.shapes, &parts)
    }

    fn part(&self, ir: &Ir<'c>, i: usize, ty: BasicTypeEnum<'c>) -> V<'c> {
        match self.incoming.as_slice() {
            [] => ir.poison(ty),
            [(only, _)] => only[i],
            several => {
                let phi = ir.phi(ty);
                for (values, from) in several {
                    phi.add_incoming(&[(&values[i], *from)]);
                }
                phi.as_basic_value()
            }
        }
    }
}

/// Cuts parts that follow each other into values.
pub fn split<'c>(ir: &Ir<'c>, shapes: &[(Type, bool)], parts: &[V<'c>]) -> Vec<Val<'c>> {
    let mut next = 0;
    let mut values = Vec::with_capacity(shapes.len());
    for &(ty, contiguous) in shapes {
        let n = ir.free_part_types(ty, contiguous).len();
        values.push(ir.assemble(ty, contiguous, &parts[next..next + n]));
        next += n;
    }
    values
}

impl<'c> FuncCx<'c, '_> {
    /// A join for values like these.
    pub fn join(&self, name: &str, like: &[Value]) -> Join<'c> {
        let shapes = like.iter().map(|&value| self.shape(value)).collect();
        Join { label: self.ir.label(name), shapes, incoming: Vec::new() }
    }

    /// The parts of `values` that a join shaped like `shapes` takes.
    pub fn free_parts(&self, shapes: &[(Type, bool)], values: &[Value]) -> Vec<V<'c>> {
        let pairs = values.iter().zip(shapes);
        pairs.flat_map(|(&value, &(_, contiguous))| self.val(value).free_parts(contiguous)).collect()
    }

    pub fn jump(&self, join: &mut Join<'c>, values: &[Value]) {
        let parts = self.free_parts(&join.shapes, values);
        self.jump_parts(join, parts);
    }

    pub fn jump_parts(&self, join: &mut Join<'c>, parts: Vec<V<'c>>) {
        join.incoming.push((parts, self.ir.here()));
        self.ir.br(join.label);
    }

    /// Goes on at a join. Where nothing arrives, what follows is dead code, and its values are poison.
    pub fn finish_join(&mut self, join: Join<'c>, results: &[Value]) {
        let values = join.finish(&self.ir);
        for (&result, value) in results.iter().zip(values) {
            self.bind(result, value);
        }
    }

    /// Phis at the current block for values like `like`, with their parts.
    pub fn carried_phis(&mut self, like: &[Value]) -> Vec<PhiValue<'c>> {
        let mut phis = Vec::new();
        for &value in like {
            let (ty, contiguous) = self.shape(value);
            let types = self.ir.free_part_types(ty, contiguous);
            phis.extend(types.into_iter().map(|ty| self.ir.phi(ty)));
        }
        phis
    }

    /// Binds values to phis made by [`Self::carried_phis`].
    pub fn bind_phis(&mut self, values: &[Value], phis: &[PhiValue<'c>]) {
        let shapes: Vec<(Type, bool)> = values.iter().map(|&value| self.shape(value)).collect();
        let parts: Vec<V<'c>> = phis.iter().map(|phi| phi.as_basic_value()).collect();
        for (&value, val) in values.iter().zip(split(&self.ir, &shapes, &parts)) {
            self.bind(value, val);
        }
    }

    pub fn lower_if(&mut self, op: Op) -> Lowered {
        let data = &self.func.ops[op];
        let (then, otherwise) = (self.ir.label("then"), self.ir.label("else"));
        let join = self.join("endif", &data.results);
        self.ir.cond_br(self.scalar(data.args[0]), then, otherwise);
        self.yields.push(join);
        for (label, &region) in [then, otherwise].into_iter().zip(&data.regions) {
            self.ir.at(label);
            self.block(region)?;
        }
        let join = self.yields.pop().expect("pushed above");
        self.finish_join(join, &data.results);
        Ok(())
    }

    pub fn lower_yield(&mut self, op: Op) {
        let mut join = self.yields.pop().expect("yield ends a region of `if`");
        self.jump(&mut join, &self.func.ops[op].args);
        self.yields.push(join);
    }

    pub fn lower_break(&mut self, op: Op, depth: u32) {
        let index = self.frames.len() - 1 - depth as usize;
        let shapes = self.frames[index].exit.shapes.clone();
        let parts = self.free_parts(&shapes, &self.func.ops[op].args);
        let here = self.ir.here();
        let exit = &mut self.frames[index].exit;
        exit.incoming.push((parts, here));
        self.ir.br(exit.label);
    }

    pub fn lower_continue(&mut self, op: Op, depth: u32) {
        let index = self.frames.len() - 1 - depth as usize;
        let shapes = self.frames[index].repeat.as_ref().expect("a loop").shapes.clone();
        let parts = self.free_parts(&shapes, &self.func.ops[op].args);
        let here = self.ir.here();
        let repeat = self.frames[index].repeat.as_mut().expect("a loop");
        repeat.incoming.push((parts, here));
        self.ir.br(repeat.label);
    }

    pub fn lower_scope(&mut self, op: Op) -> Lowered {
        let data = &self.func.ops[op];
        let exit = self.join("scope.end", &data.results);
        self.frames.push(Frame { exit, repeat: None });
        self.block(data.regions[0])?;
        let frame = self.frames.pop().expect("pushed above");
        self.finish_join(frame.exit, &data.results);
        Ok(())
    }

    pub fn lower_loop(&mut self, op: Op) -> Lowered {
        let data = &self.func.ops[op];
        let body = data.regions[0];
        let params = &self.func.blocks[body].params;
        let exit = self.join("loop.end", &data.results);
        let repeat = self.join("loop.next", params);
        let init = self.free_parts(&repeat.shapes, &data.args);
        let poll = self.poll_counter(op);
        let (before, header) = (self.ir.here(), self.ir.label("loop"));
        self.ir.br(header);
        self.ir.at(header);
        let phis = self.carried_phis(params);
        phis.iter().zip(&init).for_each(|(phi, value)| phi.add_incoming(&[(value, before)]));
        self.bind_phis(params, &phis);
        self.frames.push(Frame { exit, repeat: Some(repeat) });
        self.block(body)?;
        let Frame { exit, repeat } = self.frames.pop().expect("pushed above");
        let next = self.end_iteration(repeat.expect("a loop"));
        self.count_down(op, poll);
        self.repeat(&phis, &next);
        self.ir.br(header);
        self.finish_join(exit, &data.results);
        Ok(())
    }

    /// Stands at the end of an iteration, and gives the parts of the next carried values.
    pub fn end_iteration(&mut self, repeat: Join<'c>) -> Vec<V<'c>> {
        let shapes = repeat.shapes.clone();
        let values = repeat.finish(&self.ir);
        values
            .iter()
            .zip(&shapes)
            .flat_map(|(value, &(_, contiguous))| value.free_parts(contiguous))
            .collect()
    }

    /// Gives a header's phis the values that come from here.
    pub fn repeat(&self, phis: &[PhiValue<'c>], next: &[V<'c>]) {
        let here = self.ir.here();
        phis.iter().zip(next).for_each(|(phi, value)| phi.add_incoming(&[(value, here)]));
    }

    pub fn lower_return(&mut self, op: Op) {
        let args = &self.func.ops[op].args;
        for &arg in args {
            self.give_away(arg);
        }
        self.store_words(self.out, args);
        self.leave(false);
    }
}
