// See allocate_registers.h. Tested in code_builder_test.cpp.
#include "frontend/allocate_registers.h"

#include <algorithm>
#include <cstdint>

#include "base/check.h"

namespace heddle::frontend {

using bytecode::constant_bit;
using bytecode::Function;
using bytecode::no_operand;

namespace {

// Larger functions keep their registers as they are: the interference graph is quadratic.
constexpr std::uint32_t register_limit = 20'000;

using BitSet = std::vector<std::uint64_t>;
bool test(const BitSet& set, std::uint32_t i) { return set[i / 64] >> (i % 64) & 1; }
void add(BitSet& set, std::uint32_t i) { set[i / 64] |= std::uint64_t{1} << (i % 64); }
void remove(BitSet& set, std::uint32_t i) { set[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }

bool is_register(Operand operand) { return operand != no_operand && !(operand & constant_bit); }

// Visits the operands an instruction reads.
template <class Visitor>
void for_each_use(Function& function, Instruction& i, Visitor visit) {
  const unsigned wide = i.bits > 64 ? 2 : 1;
  switch (i.op) {
    case Opcode::jump:
    case Opcode::unreachable:
    case Opcode::unsupported:
    case Opcode::fence:
    case Opcode::stack_save:
    case Opcode::loop_begin:
    case Opcode::watch_loop:
    case Opcode::call:
    case Opcode::return_values:
    case Opcode::library: break;
    case Opcode::loop_iterate: visit(i.dst, 1u); break;
    case Opcode::move:
    case Opcode::float_to_float:
    case Opcode::float_to_signed:
    case Opcode::float_to_unsigned:
    case Opcode::signed_to_float:
    case Opcode::unsigned_to_float: visit(i.a, wide); break;
    case Opcode::truncate:
    case Opcode::sign_extend:
    case Opcode::zero_extend_128:
    case Opcode::branch:
    case Opcode::switch_on:
    case Opcode::call_indirect:
    case Opcode::stack_object:
    case Opcode::stack_restore:
    case Opcode::va_start:
    case Opcode::load: visit(i.a, 1u); break;
    case Opcode::store:
    case Opcode::read_modify_write:
      visit(i.a, 1u);
      visit(i.b, wide);
      break;
    case Opcode::compare_exchange:
      visit(i.a, 1u);
      visit(i.b, wide);
      visit(i.c, wide);
      break;
    case Opcode::select:
      visit(i.a, 1u);
      visit(i.b, wide);
      visit(i.c, wide);
      break;
    case Opcode::overflow_arithmetic:
    case Opcode::va_copy:
      visit(i.a, 1u);
      visit(i.b, 1u);
      break;
    case Opcode::integer_function:
    case Opcode::float_function:
      visit(i.a, wide);
      visit(i.b, wide);
      visit(i.c, wide);
      break;
    case Opcode::memory_copy:
    case Opcode::memory_move:
    case Opcode::memory_set:
      visit(i.a, 1u);
      visit(i.b, 1u);
      visit(i.c, 1u);
      break;
    default:  // arithmetic and comparisons
      visit(i.a, wide);
      visit(i.b, wide);
      break;
  }
  for (std::uint32_t k = 0; k < i.argument_count; ++k) visit(function.arguments[i.first_argument + k], 1u);
}

unsigned written_slots(const Instruction& i, const RegisterGroups& groups) {
  if (!is_register(i.dst)) return 0;
  const unsigned wide = i.bits > 64 ? 2 : 1;
  switch (i.op) {
    case Opcode::call:
    case Opcode::call_indirect: return groups.size[i.dst];
    case Opcode::overflow_arithmetic:
    case Opcode::zero_extend_128: return 2;
    case Opcode::sign_extend:
    case Opcode::float_to_float:
    case Opcode::float_to_signed:
    case Opcode::float_to_unsigned:
    case Opcode::signed_to_float:
    case Opcode::unsigned_to_float: return i.c > 64 ? 2 : 1;
    case Opcode::compare_exchange: return wide + 1;
    case Opcode::equal:
    case Opcode::not_equal:
    case Opcode::unsigned_less:
    case Opcode::unsigned_less_equal:
    case Opcode::signed_less:
    case Opcode::signed_less_equal:
    case Opcode::float_compare:
    case Opcode::truncate:
    case Opcode::library:
    case Opcode::stack_object: return 1;
    default: return wide;
  }
}

// Whether the machine may still read operands of the instruction after it wrote (part of) its result.
bool writes_before_reading_all(const Instruction& i, unsigned slots) {
  return slots > 1 || i.op == Opcode::read_modify_write || i.op == Opcode::compare_exchange ||
         i.op == Opcode::library || i.op == Opcode::stack_object || i.op == Opcode::loop_iterate;
}

class Allocator {
 public:
  Allocator(Function& function, const RegisterGroups& groups)
      : function_(function), groups_(groups), words_((function.register_count + 63) / 64) {}

  void run() {
    find_blocks();
    find_liveness();
    find_watched();
    find_interference();
    merge_moves();
    place_groups();
    rename();
  }

 private:
  struct Block {
    std::uint32_t begin = 0, end = 0;
    std::vector<std::uint32_t> successors;
    BitSet live_out;
  };

  void find_blocks() {
    const auto size = static_cast<std::uint32_t>(function_.code.size());
    std::vector<bool> starts(size + 1, false);
    starts[0] = true;
    for (std::uint32_t i = 0; i < size; ++i) {
      for (const std::uint32_t target : targets(function_.code[i])) starts[target] = true;
      if (is_terminator(function_.code[i].op)) starts[i + 1] = true;
    }
    std::vector<std::uint32_t> block_of(size + 1, 0);
    for (std::uint32_t i = 0; i < size; ++i) {
      if (starts[i]) blocks_.push_back({i, i, {}, BitSet(words_, 0)});
      block_of[i] = static_cast<std::uint32_t>(blocks_.size() - 1);
      blocks_.back().end = i + 1;
    }
    for (Block& block : blocks_) {
      const Instruction& last = function_.code[block.end - 1];
      for (const std::uint32_t target : targets(last)) block.successors.push_back(block_of[target]);
      if (!is_terminator(last.op) && block.end < size) block.successors.push_back(block_of[block.end]);
    }
  }

  std::vector<std::uint32_t> targets(const Instruction& i) const {
    if (i.op == Opcode::jump) return {i.a};
    if (i.op == Opcode::branch) return {i.b, i.c};
    if (i.op != Opcode::switch_on) return {};
    std::vector<std::uint32_t> result{function_.switches[i.b].default_target};
    for (const auto& entry : function_.switches[i.b].cases) result.push_back(entry.target);
    return result;
  }

  static bool is_terminator(Opcode op) {
    return op == Opcode::jump || op == Opcode::branch || op == Opcode::switch_on || op == Opcode::return_values ||
           op == Opcode::unreachable;
  }

  // Moves `live` from after the instruction to before it.
  void step_back(Instruction& instruction, BitSet& live) {
    const unsigned slots = written_slots(instruction, groups_);
    for (unsigned k = 0; k < slots; ++k) remove(live, instruction.dst + k);
    for_each_use(function_, instruction, [&](Operand operand, unsigned count) {
      if (!is_register(operand)) return;
      for (unsigned k = 0; k < count; ++k) add(live, operand + k);
    });
  }

  void find_liveness() {
    std::vector<BitSet> live_in(blocks_.size(), BitSet(words_, 0));
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = blocks_.size(); b-- > 0;) {
        Block& block = blocks_[b];
        for (const std::uint32_t successor : block.successors) {
          for (std::size_t w = 0; w < words_; ++w) block.live_out[w] |= live_in[successor][w];
        }
        BitSet live = block.live_out;
        for (std::uint32_t i = block.end; i-- > block.begin;) step_back(function_.code[i], live);
        if (live != live_in[b]) {
          live_in[b] = std::move(live);
          changed = true;
        }
      }
    }
    entry_live_ = live_in[0];
  }

  // What is alive where a loop is watched. Counters of iterations are no part of the program's state.
  void find_watched() {
    if (function_.loops.empty()) return;
    BitSet counters(words_, 0);
    for (const Instruction& i : function_.code)
      if (i.op == Opcode::loop_begin) add(counters, i.dst);
    for (Block& block : blocks_) {
      BitSet live = block.live_out;
      for (std::uint32_t i = block.end; i-- > block.begin;) {
        Instruction& instruction = function_.code[i];
        if (instruction.op == Opcode::watch_loop) {
          std::vector<std::uint32_t>& watched = function_.loops[instruction.a].live;
          for (std::uint32_t r = 0; r < function_.register_count; ++r)
            if (test(live, r) && !test(counters, r)) watched.push_back(r);
        }
        step_back(instruction, live);
      }
    }
  }

  void interfere(std::uint32_t x, std::uint32_t y) {
    x = groups_.first[x];
    y = groups_.first[y];
    if (x == y) return;
    add(neighbours_[x], y);
    add(neighbours_[y], x);
  }

  void interfere_with_all(std::uint32_t x, const BitSet& live, std::uint32_t except) {
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t bits = live[w]; bits != 0; bits &= bits - 1) {
        const auto y = static_cast<std::uint32_t>(w * 64 + static_cast<unsigned>(__builtin_ctzll(bits)));
        if (y != except) interfere(x, y);
      }
    }
  }

  void find_interference() {
    neighbours_.assign(function_.register_count, {});
    for (std::uint32_t r = 0; r < function_.register_count; ++r) {
      if (groups_.first[r] == r) neighbours_[r].assign(words_, 0);
    }
    used_.assign(words_, 0);
    for (Block& block : blocks_) {
      BitSet live = block.live_out;
      for (std::uint32_t i = block.end; i-- > block.begin;) {
        Instruction& instruction = function_.code[i];
        const unsigned slots = written_slots(instruction, groups_);
        const bool is_move = instruction.op == Opcode::move && instruction.bits != 128 && instruction.d == 0;
        const std::uint32_t except = is_move && is_register(instruction.a) ? instruction.a : no_operand;
        for (unsigned k = 0; k < slots; ++k) {
          add(used_, groups_.first[instruction.dst + k]);
          interfere_with_all(instruction.dst + k, live, except);
        }
        const bool careful = slots > 0 && writes_before_reading_all(instruction, slots);
        for_each_use(function_, instruction, [&](Operand operand, unsigned count) {
          if (!is_register(operand)) return;
          add(used_, groups_.first[operand]);
          for (unsigned k = 0; careful && k < count; ++k) interfere(instruction.dst, operand + k);
        });
        step_back(instruction, live);
      }
    }
    // Parameters arrive all at once; a register that is alive at the start without being one is never read for real.
    for (std::uint32_t p = 0; p < function_.parameter_slots; ++p) {
      if (test(entry_live_, p)) interfere_with_all(p, entry_live_, p);
    }
  }

  std::uint32_t representative(std::uint32_t x) {
    while (merged_into_[x] != x) x = merged_into_[x] = merged_into_[merged_into_[x]];
    return x;
  }

  bool is_parameter(std::uint32_t r) const { return r < function_.parameter_slots; }

  // Single registers that a move connects and that do not interfere become one.
  void merge_moves() {
    merged_into_.resize(function_.register_count);
    for (std::uint32_t r = 0; r < function_.register_count; ++r) merged_into_[r] = r;
    for (const Instruction& i : function_.code) {
      if (i.op != Opcode::move || i.d != 0 || !is_register(i.a) || i.bits == 128) continue;
      if (groups_.size[i.dst] != 1 || groups_.size[i.a] != 1) continue;
      std::uint32_t x = representative(i.dst), y = representative(i.a);
      if (x == y || test(neighbours_[x], y) || (is_parameter(x) && is_parameter(y))) continue;
      if (is_parameter(y)) std::swap(x, y);
      merged_into_[y] = x;
      for (std::size_t w = 0; w < words_; ++w) {
        for (std::uint64_t bits = neighbours_[y][w]; bits != 0; bits &= bits - 1) {
          const auto z = static_cast<std::uint32_t>(w * 64 + static_cast<unsigned>(__builtin_ctzll(bits)));
          add(neighbours_[z], x);
          add(neighbours_[x], z);
        }
      }
    }
  }

  void place_groups() {
    place_.assign(function_.register_count, no_operand);
    for (std::uint32_t p = 0; p < function_.parameter_slots; ++p) place_[p] = p;
    count_ = function_.parameter_slots;
    for (std::uint32_t r = function_.parameter_slots; r < function_.register_count; ++r) {
      if (groups_.first[r] != r || representative(r) != r || !test(used_, r)) continue;
      place_[r] = find_place(r);
      count_ = std::max(count_, place_[r] + groups_.size[r]);
    }
  }

  // The lowest run of slots that no neighbour occupies.
  std::uint32_t find_place(std::uint32_t r) {
    std::vector<bool> taken(count_ + groups_.size[r] + 1, false);
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t bits = neighbours_[r][w]; bits != 0; bits &= bits - 1) {
        const auto neighbour = static_cast<std::uint32_t>(w * 64 + static_cast<unsigned>(__builtin_ctzll(bits)));
        const std::uint32_t z = representative(neighbour);
        if (place_[z] == no_operand) continue;
        for (std::uint32_t k = 0; k < groups_.size[z]; ++k) taken[place_[z] + k] = true;
      }
    }
    for (std::uint32_t at = 0;; ++at) {
      bool free = true;
      for (std::uint32_t k = 0; k < groups_.size[r] && free; ++k) free = at + k >= taken.size() || !taken[at + k];
      if (free) return at;
    }
  }

  std::uint32_t new_name(std::uint32_t r) {
    const std::uint32_t first = groups_.first[r];
    const std::uint32_t place = place_[representative(first)];
    HEDDLE_CHECK(place != no_operand, "every register in use has a place");
    return place + (r - first);
  }

  void rename() {
    for (Instruction& i : function_.code) {
      const bool writes = is_register(i.dst) && i.op != Opcode::loop_iterate;
      const std::uint32_t destination = writes ? new_name(i.dst) : i.dst;
      for_each_use(function_, i, [&](Operand& operand, unsigned) {
        if (is_register(operand)) operand = new_name(operand);
      });
      if (writes) i.dst = destination;
    }
    for (bytecode::WatchedLoop& loop : function_.loops)
      for (std::uint32_t& live : loop.live) live = new_name(live);
    function_.register_count = count_;
  }

  Function& function_;
  const RegisterGroups& groups_;
  std::size_t words_;
  std::vector<Block> blocks_;
  BitSet entry_live_, used_;
  std::vector<BitSet> neighbours_;
  std::vector<std::uint32_t> merged_into_, place_;
  std::uint32_t count_ = 0;
};

}  // namespace

namespace {

void keep_all_registers(Function& function) {
  for (bytecode::WatchedLoop& loop : function.loops)
    for (std::uint32_t r = 0; r < function.register_count; ++r) loop.live.push_back(r);
}

}  // namespace

void allocate_registers(Function& function, const RegisterGroups& groups) {
  const bool worthwhile =
      !function.code.empty() && function.register_count != 0 && function.register_count <= register_limit;
  if (worthwhile)
    Allocator(function, groups).run();
  else
    keep_all_registers(function);
  for (bytecode::WatchedLoop& loop : function.loops) {
    std::sort(loop.live.begin(), loop.live.end());
    loop.live.erase(std::unique(loop.live.begin(), loop.live.end()), loop.live.end());
  }
  reserve_snapshots(function);
}

}  // namespace heddle::frontend
