// What the second interpreter does in library calls. The order of steps is that of bytecode/conventions.h.
#include <algorithm>

#include "base/check.h"
#include "bytecode/conventions.h"
#include "validate/format.h"
#include "validate/thread_run.h"

namespace heddle::validate {

using bytecode::AccessKind;
using bytecode::Address;
using bytecode::ErrorKind;
using bytecode::LibraryCall;
using bytecode::ObjectKind;

Task<> ThreadRun::library(const Instruction& at) {
  Access word;
  switch (static_cast<LibraryCall>(at.d)) {
    case LibraryCall::thread_create:
    case LibraryCall::thread_create_c11: co_await create_thread(at); break;
    case LibraryCall::thread_join:
    case LibraryCall::thread_join_c11:
    case LibraryCall::thread_detach: co_await thread_call(at); break;
    case LibraryCall::thread_exit: {
      const std::uint64_t value = argument(at, 0);
      co_await release_stack_objects(0);
      co_await finish(value);
      break;
    }
    case LibraryCall::thread_self: set_result(at, std::uint64_t{thread_} + 1); break;
    case LibraryCall::mutex_init:
      word.address = argument(at, 0);
      word.size = bytecode::mutex_word_size;
      word.kind = AccessKind::mutex_init;
      co_await write(word, Value{(1 + (argument(at, 1) & 3)) << 8, 0});
      set_result(at, 0);
      break;
    case LibraryCall::mutex_destroy:
      word.address = argument(at, 0);
      word.size = bytecode::mutex_word_size;
      word.kind = AccessKind::mutex_destroy;
      if (held(word.address) != nullptr) co_await fail(ErrorKind::lock_misuse, word.address, word.size);
      co_await write(word, Value{bytecode::mutex_destroyed, 0});
      set_result(at, 0);
      break;
    case LibraryCall::mutex_lock: co_await lock(at, false); break;
    case LibraryCall::mutex_trylock: co_await lock(at, true); break;
    case LibraryCall::mutex_unlock: co_await unlock(at); break;
    case LibraryCall::barrier_init: {
      const std::uint64_t count = argument(at, 1) & 0x7fffffff;
      word.address = argument(at, 0);
      word.size = bytecode::barrier_word_size;
      word.kind = AccessKind::barrier_init;
      if (count == 0) co_await fail(ErrorKind::barrier_misuse, word.address, word.size);
      co_await write(word, Value{bytecode::barrier_ready | count << 32, 0});
      set_result(at, 0);
      break;
    }
    case LibraryCall::barrier_wait: co_await wait_at_barrier(at); break;
    case LibraryCall::barrier_destroy:
      word.address = argument(at, 0);
      word.size = bytecode::barrier_word_size;
      word.kind = AccessKind::barrier_destroy;
      co_await write(word, Value{});
      set_result(at, 0);
      break;
    case LibraryCall::add_between: co_await add_between(at); break;
    case LibraryCall::allocate:
    case LibraryCall::allocate_zeroed: {
      const bool zeroed = static_cast<LibraryCall>(at.d) == LibraryCall::allocate_zeroed;
      const Address address =
          co_await allocate(argument(at, 0), bytecode::least_alignment, ObjectKind::heap, zeroed, 0);
      set_result(at, address);
      break;
    }
    case LibraryCall::allocate_aligned: {
      const Address address = co_await allocate(argument(at, 1), argument(at, 0), ObjectKind::heap, false, 0);
      set_result(at, address);
      break;
    }
    case LibraryCall::reallocate: co_await reallocate(at); break;
    case LibraryCall::release: {
      const Address address = argument(at, 0);
      if (address != 0) {
        if (!bytecode::is_global(address) && !bytecode::is_shared_object(address))
          co_await fail(ErrorKind::invalid_free, address);
        co_await free_object(address);
      }
      set_result(at, 0);
      break;
    }
    case LibraryCall::memory_compare: co_await compare_blocks(at); break;
    case LibraryCall::assume:
      if (argument(at, 0) == 0) {
        prepare(Step::Kind::blocked);
        co_await Stop{*this};
      }
      set_result(at, 0);
      break;
    case LibraryCall::choose: co_await choose(at); break;
    case LibraryCall::assertion_failed: {
      std::string text;
      std::uint8_t byte = 0;
      for (Address next = argument(at, 0); readable_byte(next, byte) && byte != 0; ++next)
        text += static_cast<char>(byte);
      const Stop stop = fail(ErrorKind::assertion);
      step_.text = text;
      co_await stop;
      break;
    }
    case LibraryCall::lock_misuse: co_await fail(ErrorKind::lock_misuse); break;
    case LibraryCall::abort_program: co_await fail(ErrorKind::assertion); break;
    case LibraryCall::exit_program:
      prepare(Step::Kind::finish).value = {argument(at, 0), 0};
      co_await Stop{*this};
      break;
    case LibraryCall::print:
    case LibraryCall::put_string:
    case LibraryCall::put_character:
    case LibraryCall::format_to_buffer:
    case LibraryCall::format_to_buffer_va:
    case LibraryCall::print_va: co_await output(at); break;
    case LibraryCall::yield_thread: set_result(at, 0); break;
  }
}

Task<> ThreadRun::create_thread(const Instruction& at) {
  const Address address = argument(at, 1);
  const std::uint64_t index = (address - bytecode::functions_begin) / bytecode::function_slot;
  if (!bytecode::is_function(address) || address % bytecode::function_slot != 0 || index >= program_.functions.size())
    co_await fail(ErrorKind::undefined_behavior, address);
  Step& step = prepare(Step::Kind::create);
  step.function = static_cast<std::uint32_t>(index);
  step.value = {argument(at, 2), 0};
  step.c11_thread = static_cast<LibraryCall>(at.d) == LibraryCall::thread_create_c11;
  const Value id = co_await Stop{*this};
  Access access;
  access.address = argument(at, 0);
  access.size = 8;
  co_await write(access, Value{id.low + 1, 0});
  set_result(at, 0);
}

// join and detach
Task<> ThreadRun::thread_call(const Instruction& at) {
  const auto call = static_cast<LibraryCall>(at.d);
  const std::uint64_t id = argument(at, 0);
  if (id == 0 || id > bytecode::max_threads) co_await fail(ErrorKind::thread_misuse);
  prepare(call == LibraryCall::thread_detach ? Step::Kind::detach : Step::Kind::join).target =
      static_cast<std::uint32_t>(id - 1);
  const Value value = co_await Stop{*this};
  if (call != LibraryCall::thread_detach && argument(at, 1) != 0) {
    Access access;
    access.address = argument(at, 1);
    access.size = call == LibraryCall::thread_join_c11 ? 4 : 8;
    co_await write(access, value);
  }
  set_result(at, 0);
}

ThreadRun::HeldMutex* ThreadRun::held(Address address) {
  for (HeldMutex& mutex : held_)
    if (mutex.address == address) return &mutex;
  return nullptr;
}

std::uint32_t ThreadRun::mutex_kind(Address address, std::uint64_t word) const {
  const std::uint64_t set_by_call = word >> 8 & 0xff;
  if (set_by_call != 0) return static_cast<std::uint32_t>(set_by_call - 1);
  Value value;
  if (!bytecode::is_global(address) || !initial_contents(program_, address + bytecode::mutex_kind_offset, 4, value))
    return bytecode::normal_mutex;
  const bool known = value.low == bytecode::recursive_mutex || value.low == bytecode::checking_mutex;
  return known ? static_cast<std::uint32_t>(value.low) : std::uint32_t{bytecode::normal_mutex};
}

Task<> ThreadRun::lock(const Instruction& at, bool only_try) {
  Access access;
  access.address = argument(at, 0);
  access.size = bytecode::mutex_word_size;
  if (HeldMutex* mine = held(access.address)) {
    if (mine->kind == bytecode::recursive_mutex) {
      ++mine->depth;
      set_result(at, 0);
      co_return;
    }
    if (mine->kind == bytecode::checking_mutex) {
      set_result(at, only_try ? bytecode::error_busy : bytecode::error_deadlock);
      co_return;
    }
    // Nobody else could ever free it.
    if (!only_try && bytecode::is_private(access.address))
      co_await fail(ErrorKind::deadlock, access.address, access.size);
  }
  access.kind = only_try ? AccessKind::trylock : AccessKind::lock;
  access.exclusive = true;
  access.order = MemoryOrder::acquire;
  const Value word = co_await read(access);
  if ((word.low & bytecode::mutex_destroyed) != 0) co_await fail(ErrorKind::lock_misuse, access.address, access.size);
  if ((word.low & bytecode::mutex_held_mask) != 0) {
    HEDDLE_CHECK(only_try, "a thread takes a mutex only when it is free");
    set_result(at, bytecode::error_busy);
    co_return;
  }
  access.order = MemoryOrder::relaxed;
  co_await write(access, Value{word.low | 1, 0});
  held_.push_back({access.address, 1, mutex_kind(access.address, word.low), word.low});
  set_result(at, 0);
}

Task<> ThreadRun::add_between(const Instruction& at) {
  Access access;
  access.address = argument(at, 0);
  access.size = 4;
  access.kind = AccessKind::add_between;
  access.exclusive = true;
  access.order = MemoryOrder::acquire;
  const std::uint32_t low = static_cast<std::uint32_t>(argument(at, 1));
  const std::uint32_t high = static_cast<std::uint32_t>(argument(at, 2));
  Value answer;
  const Reach reach = read_here(access, answer);
  if (reach == Reach::visible) {
    prepare_access(Step::Kind::read, access);
    step_.low = low;
    step_.high = high;
    step_.order_of_failure = MemoryOrder::relaxed;
  }
  if (reach != Reach::done) answer = co_await Stop{*this};
  const std::uint32_t old = static_cast<std::uint32_t>(answer.low);
  if (low <= old && old <= high)
    co_await write(access, Value{static_cast<std::uint32_t>(old + static_cast<std::uint32_t>(argument(at, 3))), 0});
  set_result(at, old);
}

Task<> ThreadRun::unlock(const Instruction& at) {
  Access access;
  access.address = argument(at, 0);
  access.size = bytecode::mutex_word_size;
  HeldMutex* mine = held(access.address);
  if (mine == nullptr) {
    access.order = MemoryOrder::relaxed;
    const Value word = co_await read(access);
    if (mutex_kind(access.address, word.low) != bytecode::checking_mutex)
      co_await fail(ErrorKind::lock_misuse, access.address, access.size);
    set_result(at, bytecode::error_not_permitted);
    co_return;
  }
  if (mine->depth > 1) {
    --mine->depth;
    set_result(at, 0);
    co_return;
  }
  access.order = MemoryOrder::release;
  access.kind = AccessKind::unlock;
  co_await write(access, Value{mine->word & ~bytecode::mutex_held_mask, 0});
  held_.erase(held_.begin() + (held(access.address) - held_.data()));
  set_result(at, 0);
}

// Whether anybody can tell in which order threads arrive at barriers.
bool ThreadRun::order_of_arrivals_matters() const {
  for (const bytecode::Function& function : program_.functions)
    for (const Instruction& at : function.code)
      if (at.op == bytecode::Opcode::library && at.dst != bytecode::no_operand &&
          static_cast<LibraryCall>(at.d) == LibraryCall::barrier_wait)
        return true;
  return !settings_.unordered_barriers;
}

Task<> ThreadRun::meet_at_barrier(const Instruction& at) {
  Access access;
  access.address = argument(at, 0);
  access.size = bytecode::barrier_word_size;
  access.order = MemoryOrder::acquire;
  access.kind = AccessKind::barrier_look;
  const Value word = co_await read(access);
  const std::uint64_t count = (word.low & ~bytecode::barrier_ready) >> 32;
  if ((word.low & bytecode::barrier_ready) == 0 || count == 0)
    co_await fail(ErrorKind::barrier_misuse, access.address, access.size);
  if (bytecode::is_private(access.address)) co_await fail(ErrorKind::deadlock, access.address, access.size);
  for (const Step::Kind kind : {Step::Kind::meet, Step::Kind::arrive, Step::Kind::leave, Step::Kind::pass}) {
    Step& step = prepare(kind);
    step.address = access.address;
    step.size = access.size;
    step.value = {count, 0};
    co_await Stop{*this};
  }
}

Task<> ThreadRun::wait_at_barrier(const Instruction& at) {
  if (!order_of_arrivals_matters()) {
    co_await meet_at_barrier(at);
    co_return;
  }
  Access access;
  access.address = argument(at, 0);
  access.size = bytecode::barrier_word_size;
  access.order = MemoryOrder::acquire_release;
  access.kind = AccessKind::barrier_arrive;
  access.exclusive = true;
  const Value word = co_await read(access);
  const std::uint64_t count = (word.low & ~bytecode::barrier_ready) >> 32, arrived = word.low & 0xffffffff;
  if ((word.low & bytecode::barrier_ready) == 0 || count == 0)
    co_await fail(ErrorKind::barrier_misuse, access.address, access.size);
  co_await write(access, Value{word.low + 1, 0});
  if ((arrived + 1) % count == 0) {
    set_result(at, bytecode::barrier_serial_thread);
    co_return;
  }
  if (bytecode::is_private(access.address)) co_await fail(ErrorKind::deadlock, access.address, access.size);
  access.order = MemoryOrder::acquire;
  access.kind = AccessKind::barrier_leave;
  access.exclusive = false;
  prepare_access(Step::Kind::read, access);
  step_.awaited_arrivals = (arrived / count + 1) * count;
  co_await Stop{*this};
  set_result(at, 0);
}

Task<> ThreadRun::choose(const Instruction& at) {
  const std::uint64_t asked = literal_argument(at, 2);
  const unsigned bits = asked == 0 || asked > 64 ? 64 : static_cast<unsigned>(asked);
  const auto low = static_cast<std::int64_t>(as_signed(cut(argument(at, 0), bits), bits));
  const auto high = static_cast<std::int64_t>(as_signed(cut(argument(at, 1), bits), bits));
  if (low > high) co_await fail(ErrorKind::undefined_behavior);
  Step& step = prepare(Step::Kind::choose);
  step.low = low;
  step.high = high;
  const Value chosen = co_await Stop{*this};
  set_result(at, static_cast<std::uint64_t>(cut(chosen.low, bits)));
}

bool ThreadRun::readable_byte(Address address, std::uint8_t& byte) const {
  if (bytecode::is_private(address)) {
    if (!memory_.contains(address, 1) || !memory_.written(address, 1)) return false;
    byte = memory_.byte(address);
    return true;
  }
  if (!is_constant(address, 1)) return false;
  const bytecode::Global* global = global_at(program_, address);
  byte = global->bytes[address - global->address];
  return true;
}

// The text of a formatting call whose format is argument `format`; the others follow it, or lie at `area`.
std::string ThreadRun::format_text(const Instruction& at, std::uint32_t format, Address area, bool& readable) const {
  std::uint32_t next = format + 1;
  const auto next_argument = [&](bool two_slots, Value& value) {
    const std::uint32_t slots = two_slots ? 2 : 1;
    if (area == 0) {
      if ((next - format - 1) % slots != 0) ++next;  // a long double begins at an even one
      if (next + slots > at.argument_count) return false;
      value.low = argument(at, next);
      if (two_slots) value.high = argument(at, next + 1);
      next += slots;
      return true;
    }
    area = (area + 8 * slots - 1) / (8 * slots) * (8 * slots);
    if (!bytecode::is_private(area) || !memory_.contains(area, 8 * slots)) return false;
    value = memory_.load(area, 8 * slots);
    area += 8 * slots;
    return true;
  };
  const auto byte_at = [&](Address address, std::uint8_t& byte) { return readable_byte(address, byte); };
  return formatted(argument(at, format), next_argument, byte_at, readable);
}

Task<> ThreadRun::output(const Instruction& at) {
  const auto call = static_cast<LibraryCall>(at.d);
  const bool to_buffer = call == LibraryCall::format_to_buffer || call == LibraryCall::format_to_buffer_va;
  const bool takes_list = call == LibraryCall::format_to_buffer_va || call == LibraryCall::print_va;
  const std::uint32_t format = to_buffer ? 2 : call == LibraryCall::print ? 1 : 0;
  Address area = 0;
  if (takes_list) {
    Access access;
    access.address = argument(at, format + 1) + bytecode::va_overflow_area_offset;
    access.size = 8;
    const Value place = co_await read(access);
    area = place.low;
  }
  std::uint64_t result = 1;
  bool readable = true;
  if (to_buffer) {
    const std::string text = format_text(at, format, area, readable);
    if (!readable) co_await give_up("snprintf of a string that other threads can reach");
    const std::uint64_t room = argument(at, 1);
    const std::uint64_t letters = room == 0 ? 0 : std::min<std::uint64_t>(room - 1, text.size());
    Access access;
    access.size = 1;
    for (std::uint64_t i = 0; room != 0 && i <= letters; ++i) {
      access.address = argument(at, 0) + i;
      const std::uint64_t letter = i == letters ? 0 : static_cast<std::uint8_t>(text[i]);
      co_await write(access, Value{letter, 0});
    }
    set_result(at, text.size());
    co_return;
  }
  if (call == LibraryCall::put_character)
    result = argument(at, 0) & 0xff;
  else if (call != LibraryCall::put_string && at.dst != bytecode::no_operand)
    result = format_text(at, format, area, readable).size();
  if (settings_.output_is_visible) {
    prepare(Step::Kind::print);
    co_await Stop{*this};
  }
  set_result(at, result);
}

}  // namespace heddle::validate
