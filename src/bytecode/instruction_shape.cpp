#include "bytecode/instruction_shape.h"

#include <iterator>

namespace heddle::bytecode {

namespace {

using F = FieldUse;
using R = ResultUse;
using W = WidthUse;

constexpr InstructionShape binary(const char* name) { return {name, R::value, W::integer, F::value, F::value}; }
constexpr InstructionShape comparison(const char* name) { return {name, R::slot, W::integer, F::value, F::value}; }
constexpr InstructionShape to_integer(const char* name) {
  return {name, R::converted, W::floating, F::value, F::none, F::width};
}
constexpr InstructionShape from_integer(const char* name) {
  return {name, R::converted, W::integer, F::value, F::none, F::width};
}

// In the order of Opcode.
constexpr InstructionShape shapes[] = {
    {"move", R::value, W::any, F::value},
    binary("add"),
    binary("sub"),
    binary("mul"),
    binary("udiv"),
    binary("sdiv"),
    binary("urem"),
    binary("srem"),
    binary("shl"),
    binary("lshr"),
    binary("ashr"),
    binary("bit_and"),
    binary("bit_or"),
    binary("bit_xor"),
    comparison("equal"),
    comparison("not_equal"),
    comparison("unsigned_less"),
    comparison("unsigned_less_equal"),
    comparison("signed_less"),
    comparison("signed_less_equal"),
    {"select", R::value, W::any, F::slot, F::value, F::value},
    {"truncate", R::slot, W::narrow, F::slot},
    {"sign_extend", R::converted, W::narrow, F::slot, F::none, F::width},
    {"zero_extend_128", R::two_slots, W::none, F::slot},
    {"overflow_arithmetic", R::two_slots, W::narrow, F::slot, F::slot, F::overflow_op},
    {"integer_function", R::value, W::integer, F::value, F::optional_value, F::optional_value, F::integer_function},
    {"float_binary", R::value, W::floating, F::value, F::value, F::float_op},
    {"float_compare", R::slot, W::floating, F::value, F::value, F::float_predicate},
    {"float_function", R::value, W::floating, F::value, F::optional_value, F::optional_value, F::float_function},
    to_integer("float_to_float"),
    to_integer("float_to_signed"),
    to_integer("float_to_unsigned"),
    from_integer("signed_to_float"),
    from_integer("unsigned_to_float"),
    {"jump", R::none, W::none, F::target, F::none, F::none, F::none, false, true},
    {"branch", R::none, W::none, F::slot, F::target, F::target, F::none, false, true},
    {"switch_on", R::none, W::narrow, F::slot, F::switch_table, F::none, F::none, false, true},
    {"call", R::call, W::none, F::none, F::function, F::none, F::none, true},
    {"call_indirect", R::call, W::none, F::slot, F::none, F::none, F::none, true},
    {"return_values", R::none, W::none, F::none, F::none, F::none, F::none, true, true},
    {"unreachable", R::none, W::none, F::optional_text, F::none, F::none, F::none, false, true},
    {"loop_begin", R::slot},
    {"loop_iterate", R::slot, W::none, F::optional_number},
    {"watch_loop", R::none, W::none, F::loop},
    {"load", R::value, W::access, F::slot},
    {"store", R::none, W::access, F::slot, F::value},
    {"read_modify_write", R::optional_value, W::access, F::slot, F::value, F::none, F::rmw_op},
    {"compare_exchange", R::optional_value_and_flag, W::access, F::slot, F::value, F::value, F::memory_order},
    {"fence"},
    {"stack_object", R::slot, W::none, F::slot, F::number, F::stack_object_kind, F::object},
    {"stack_save", R::slot},
    {"stack_restore", R::none, W::none, F::slot},
    {"memory_copy", R::none, W::none, F::slot, F::slot, F::slot},
    {"memory_move", R::none, W::none, F::slot, F::slot, F::slot},
    {"memory_set", R::none, W::none, F::slot, F::slot, F::slot},
    {"va_start", R::none, W::none, F::slot},
    {"va_copy", R::none, W::none, F::slot, F::slot},
    {"library", R::optional_slot, W::none, F::none, F::none, F::none, F::library_call, true},
    {"unsupported", R::none, W::none, F::text, F::none, F::none, F::none, false, true},
};
static_assert(std::size(shapes) == opcode_count);

constexpr LibraryShape library_shapes[] = {
    {"thread_create", 3},
    {"thread_create_c11", 3},
    {"thread_join", 2},
    {"thread_join_c11", 2},
    {"thread_exit", 1},
    {"thread_self", 0},
    {"thread_detach", 1},
    {"mutex_init", 2},
    {"mutex_lock", 1},
    {"mutex_trylock", 1},
    {"mutex_unlock", 1},
    {"mutex_destroy", 1},
    {"barrier_init", 2},
    {"barrier_wait", 1},
    {"barrier_destroy", 1},
    {"add_between", 4},
    {"allocate", 1},
    {"allocate_zeroed", 1},
    {"allocate_aligned", 2},
    {"reallocate", 2},
    {"release", 1},
    {"memory_compare", 3},
    {"assume", 1},
    {"choose", 3, false, 2},
    {"assertion_failed", 1},
    {"lock_misuse", 1},
    {"abort_program", 0},
    {"exit_program", 1},
    {"print", 2, true},
    {"put_string", 2, false, 1},
    {"put_character", 1},
    {"format_to_buffer", 3, true},
    {"format_to_buffer_va", 4},
    {"print_va", 2},
    {"yield_thread", 0},
};
static_assert(std::size(library_shapes) == library_call_count);

constexpr const char* overflow_ops[] = {"signed_add",   "unsigned_add", "signed_sub",
                                        "unsigned_sub", "signed_mul",   "unsigned_mul"};
constexpr const char* integer_functions[] = {"population_count",     "leading_zeros",
                                             "trailing_zeros",       "byte_swap",
                                             "bit_reverse",          "funnel_left",
                                             "funnel_right",         "absolute",
                                             "signed_min",           "signed_max",
                                             "unsigned_min",         "unsigned_max",
                                             "signed_add_saturated", "unsigned_add_saturated",
                                             "signed_sub_saturated", "unsigned_sub_saturated"};
constexpr const char* float_ops[] = {"add", "subtract", "multiply", "divide", "remainder"};
constexpr const char* float_predicates[] = {"never",     "oeq", "ogt", "oge", "olt", "ole", "one", "ordered",
                                            "unordered", "ueq", "ugt", "uge", "ult", "ule", "une", "always"};
constexpr const char* float_functions[] = {
    "negate",  "absolute",  "square_root",        "floor", "ceiling",     "truncate",  "round", "round_even", "minimum",
    "maximum", "copy_sign", "fused_multiply_add", "power", "exponential", "logarithm", "sine",  "cosine"};
constexpr const char* rmw_ops[] = {"exchange",       "add",          "subtract",      "bit_and",
                                   "bit_nand",       "bit_or",       "bit_xor",       "signed_max",
                                   "signed_min",     "unsigned_max", "unsigned_min",  "increment_wrap",
                                   "decrement_wrap", "float_add",    "float_subtract"};
constexpr const char* memory_orders[] = {"plain", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
constexpr const char* stack_object_kinds[] = {"private", "shared"};
static_assert(std::size(integer_functions) == static_cast<std::size_t>(IntegerFunction::unsigned_sub_saturated) + 1);
static_assert(std::size(float_functions) == static_cast<std::size_t>(FloatFunction::cosine) + 1);
static_assert(std::size(rmw_ops) == static_cast<std::size_t>(RmwOp::float_subtract) + 1);
static_assert(std::size(overflow_ops) == static_cast<std::size_t>(OverflowOp::unsigned_mul) + 1);

struct Names {
  const char* const* begin = nullptr;
  std::uint32_t count = 0;
};

template <std::size_t n>
constexpr Names names_in(const char* const (&names)[n]) {
  return {names, n};
}

Names names_of(FieldUse use) {
  switch (use) {
    case F::overflow_op: return names_in(overflow_ops);
    case F::integer_function: return names_in(integer_functions);
    case F::float_op: return names_in(float_ops);
    case F::float_predicate: return names_in(float_predicates);
    case F::float_function: return names_in(float_functions);
    case F::rmw_op: return names_in(rmw_ops);
    case F::memory_order: return names_in(memory_orders);
    case F::stack_object_kind: return names_in(stack_object_kinds);
    default: return {};
  }
}

}  // namespace

const InstructionShape& shape_of(Opcode op) { return shapes[static_cast<std::uint32_t>(op)]; }

const LibraryShape& shape_of(LibraryCall call) { return library_shapes[static_cast<std::uint32_t>(call)]; }

std::uint32_t literal_count(FieldUse use) { return use == F::library_call ? library_call_count : names_of(use).count; }

const char* literal_name(FieldUse use, std::uint32_t value) {
  if (value >= literal_count(use)) return "?";
  return use == F::library_call ? library_shapes[value].name : names_of(use).begin[value];
}

}  // namespace heddle::bytecode
