//! Keeps choices between a number and zero from becoming instructions that give zeros another sign.
//!
//! LLVM takes `x < 0 ? x : 0` for a minimum, and PTX's `min` takes -0 for less than +0, where the choice gives what stands there: of
//! two zeros the constant. What is written the other way round, `not (x < 0) ? 0 : x`, it leaves as it is.

use inkwell::FloatPredicate;
use inkwell::context::ContextRef;
use inkwell::module::Module;
use inkwell::values::{BasicValue as _, BasicValueEnum, FloatValue, InstructionOpcode, InstructionValue};

/// Turns such choices round, which no pass may see afterwards.
pub fn keep_signs(module: &Module<'_>) {
    let choices: Vec<InstructionValue<'_>> = module
        .get_functions()
        .flat_map(|function| function.get_basic_blocks())
        .flat_map(|block| block.get_instructions())
        .filter(|instruction| instruction.get_opcode() == InstructionOpcode::Select)
        .collect();
    for choice in choices {
        turn_round(&module.get_context(), choice);
    }
}

fn operand<'c>(of: InstructionValue<'c>, index: u32) -> Option<BasicValueEnum<'c>> {
    of.get_operand(index).and_then(|operand| operand.value())
}

fn turn_round(context: &ContextRef<'_>, choice: InstructionValue<'_>) {
    let Some(BasicValueEnum::IntValue(condition)) = operand(choice, 0) else { return };
    let Some(comparison) = condition.as_instruction_value() else { return };
    let predicate = match comparison.get_fcmp_predicate() {
        Some(FloatPredicate::OLT) => FloatPredicate::UGE,
        Some(FloatPredicate::OGT) => FloatPredicate::ULE,
        _ => return,
    };
    let both = [(comparison, 0), (comparison, 1), (choice, 1), (choice, 2)]
        .map(|(of, index)| operand(of, index).filter(|value| value.is_float_value()));
    let [Some(a), Some(b), Some(chosen), Some(other)] = both else { return };
    let is_zero = |value: FloatValue<'_>| value.get_constant().is_some_and(|(number, _)| number == 0.0);
    if ![a, b].into_iter().any(|value| is_zero(value.into_float_value())) {
        return;
    }
    let builder = context.create_builder();
    builder.position_before(&choice);
    const BUILT: &str = "the builder stands before an instruction";
    let turned = builder
        .build_float_compare(predicate, a.into_float_value(), b.into_float_value(), "")
        .and_then(|not| builder.build_select(not, other, chosen, ""))
        .expect(BUILT);
    let turned = turned.as_instruction_value().expect("not all is constant");
    choice.replace_all_uses_with(&turned);
    choice.erase_from_basic_block();
}
