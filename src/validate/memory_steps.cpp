// The second interpreter's memory: accesses, stack and heap objects, block operations, variadic arguments.
#include <algorithm>

#include "base/check.h"
#include "bytecode/conventions.h"
#include "validate/thread_run.h"

namespace heddle::validate {

using bytecode::AccessKind;
using bytecode::Address;
using bytecode::ErrorKind;
using bytecode::ObjectKind;
using bytecode::Opcode;

const bytecode::Global* global_at(const bytecode::Program& program, Address address) {
  for (const bytecode::Global& global : program.globals)
    if (address >= global.address && address - global.address < global.size) return &global;
  return nullptr;
}

bool initial_contents(const bytecode::Program& program, Address address, unsigned size, Value& value) {
  const std::vector<std::uint8_t>* bytes = nullptr;
  std::uint64_t offset = 0;
  if (bytecode::is_global(address)) {
    const bytecode::Global* global = global_at(program, address);
    if (global == nullptr) return false;
    bytes = &global->bytes;
    offset = address - global->address;
  } else if (bytecode::is_shared_object(address)) {
    offset = address - bytecode::shared_base(bytecode::owner_thread(address));
    for (const bytecode::ThreadLocal& local : program.thread_locals)
      if (local.shared && offset >= local.offset && offset - local.offset < local.size) {
        bytes = &local.bytes;
        offset -= local.offset;
        break;
      }
  }
  if (bytes == nullptr || offset + size > bytes->size()) return false;
  value = {};
  for (unsigned i = 0; i < size; ++i)
    (i < 8 ? value.low : value.high) |= std::uint64_t{(*bytes)[offset + i]} << (8 * (i % 8));
  return true;
}

bool ThreadRun::is_visible(Address address) const {
  if (bytecode::is_shared_object(address)) return true;
  if (!bytecode::is_global(address)) return false;
  const bytecode::Global* global = global_at(program_, address);
  return global == nullptr || !global->constant;
}

bool ThreadRun::is_constant(Address address, std::uint64_t size) const {
  if (!bytecode::is_global(address)) return false;
  const bytecode::Global* global = global_at(program_, address);
  return global != nullptr && global->constant && size <= global->size - (address - global->address);
}

void ThreadRun::prepare_access(Step::Kind kind, const Access& access) {
  Step& step = prepare(kind);
  step.access = access.kind;
  step.order = access.order;
  step.exclusive = access.exclusive;
  step.of_block = access.of_block;
  step.size = access.size;
  step.address = access.address;
}

// Serves a read without a step, if the memory is the thread's own or constant.
ThreadRun::Reach ThreadRun::read_here(const Access& access, Value& value) {
  const Address address = access.address;
  const bool misaligned = access.order != MemoryOrder::plain && address % access.size != 0;
  std::optional<ErrorKind> error;
  if (is_visible(address)) {
    if (!misaligned) return Reach::visible;
    error = ErrorKind::undefined_behavior;
  } else if (bytecode::is_private(address)) {
    if (!memory_.contains(address, access.size))
      error = memory_.error_at(address);
    else if (misaligned)
      error = ErrorKind::undefined_behavior;
    else if (!access.of_block && !memory_.written(address, access.size))
      error = ErrorKind::uninitialized;
    else
      value = memory_.load(address, access.size);
  } else if (bytecode::is_null(address)) {
    error = ErrorKind::null_dereference;
  } else if (!is_constant(address, access.size) || !initial_contents(program_, address, access.size, value)) {
    error = ErrorKind::out_of_bounds;
  }
  if (!error) return Reach::done;
  fail(*error, address, access.size);
  return Reach::failed;
}

ThreadRun::Reach ThreadRun::write_here(const Access& access, Value value) {
  const Address address = access.address;
  const bool misaligned = access.order != MemoryOrder::plain && address % access.size != 0;
  ErrorKind error = ErrorKind::out_of_bounds;
  if (is_visible(address)) {
    if (!misaligned) return Reach::visible;
    error = ErrorKind::undefined_behavior;
  } else if (bytecode::is_private(address)) {
    if (!memory_.contains(address, access.size)) {
      error = memory_.error_at(address);
    } else if (misaligned) {
      error = ErrorKind::undefined_behavior;
    } else {
      memory_.store(address, access.size, value);
      return Reach::done;
    }
  } else if (bytecode::is_null(address)) {
    error = ErrorKind::null_dereference;
  } else if (bytecode::is_global(address)) {
    error = ErrorKind::undefined_behavior;  // a constant
  }
  fail(error, address, access.size);
  return Reach::failed;
}

Task<Value> ThreadRun::read(Access access) {
  Value value;
  const Reach reach = read_here(access, value);
  if (reach == Reach::done) co_return value;
  if (reach == Reach::visible) prepare_access(Step::Kind::read, access);
  value = co_await Stop{*this};
  co_return truncate(value, access.size);
}

Task<> ThreadRun::write(Access access, Value value) {
  const Reach reach = write_here(access, value);
  if (reach == Reach::done) co_return;
  if (reach == Reach::visible) {
    prepare_access(Step::Kind::write, access);
    step_.value = truncate(value, access.size);
  }
  co_await Stop{*this};
}

namespace {

Value value_of(Bits bits) { return {static_cast<std::uint64_t>(bits), static_cast<std::uint64_t>(bits >> 64)}; }
Bits bits_of(Value value) { return Bits{value.high} << 64 | value.low; }

}  // namespace

Task<> ThreadRun::memory_instruction(const Instruction& at) {
  const unsigned bits = at.bits, size = bits / 8;
  if (at.op == Opcode::fence) {
    prepare(Step::Kind::fence).order = at.order;
    co_await Stop{*this};
    co_return;
  }
  Access access;
  access.address = slot(at.a);
  access.size = size;
  access.order = at.order;
  if (at.op == Opcode::load) {
    const Value value = co_await read(access);
    set_wide(at.dst, bits, bits_of(value));
    co_return;
  }
  if (at.op == Opcode::store) {
    co_await write(access, value_of(operand(at.b, bits)));
    co_return;
  }
  access.exclusive = true;
  Value old;
  bool writes = true;
  if (at.op == Opcode::read_modify_write) {
    access.kind = AccessKind::rmw;
    old = co_await read(access);
    co_await write(access,
                   value_of(updated(static_cast<bytecode::RmwOp>(at.d), bits, bits_of(old), operand(at.b, bits))));
  } else {
    access.kind = AccessKind::compare_exchange;
    const Value expected = truncate(value_of(operand(at.b, bits)), size);
    const Reach reach = read_here(access, old);
    if (reach == Reach::visible) {
      prepare_access(Step::Kind::read, access);
      step_.expected = expected;
      step_.order_of_failure = static_cast<MemoryOrder>(at.d);
    }
    if (reach != Reach::done) old = co_await Stop{*this};
    old = truncate(old, size);
    writes = old == expected;
    if (writes) co_await write(access, value_of(operand(at.c, bits)));
  }
  if (at.dst == bytecode::no_operand) co_return;
  set_wide(at.dst, bits, bits_of(old));
  if (at.op == Opcode::compare_exchange) set(at.dst + (bits > 64 ? 2 : 1), writes ? 1 : 0);
}

Task<> ThreadRun::stack_object(const Instruction& at) {
  const std::uint64_t size = slot(at.a);
  const std::uint64_t alignment =
      std::clamp<std::uint64_t>(at.b, bytecode::least_alignment, bytecode::largest_alignment);
  const bool is_private = static_cast<bytecode::StackObjectKind>(at.c) == bytecode::StackObjectKind::private_object;
  if (is_private && memory_.has_room_for(size)) {
    set(at.dst, memory_.add(size, alignment));
    co_return;
  }
  const Address address = co_await allocate(size, alignment, ObjectKind::stack, false, at.d);
  if (address == 0) co_await fail(ErrorKind::undefined_behavior);
  shared_stack_objects_.push_back(address);
  set(at.dst, address);
}

// The address of a new shared object; 0 if the thread has no room left for it.
Task<Address> ThreadRun::allocate(std::uint64_t size, std::uint64_t alignment, ObjectKind kind, bool zeroed,
                                  std::uint32_t info) {
  constexpr std::uint64_t room = std::uint64_t{1} << bytecode::shared_bits_per_thread;
  alignment = std::clamp<std::uint64_t>(alignment, bytecode::least_alignment, bytecode::largest_alignment);
  const std::uint64_t offset = (shared_mark_ + alignment - 1) / alignment * alignment;
  if (offset >= room || size >= room - offset) co_return 0;
  Step& step = prepare(Step::Kind::allocate);
  step.address = bytecode::shared_base(thread_) + offset;
  step.object = kind;
  step.object_size = size;
  step.object_info = info;
  step.zeroed = zeroed;
  const Address address = step.address;
  co_await Stop{*this};
  shared_mark_ = offset + std::max<std::uint64_t>(size, 1) + bytecode::object_gap;
  co_return address;
}

Task<> ThreadRun::free_object(Address address) {
  Step& step = prepare(Step::Kind::release);
  step.object = ObjectKind::heap;
  step.address = address;
  co_await Stop{*this};
}

Task<> ThreadRun::reallocate(const Instruction& at) {
  const Address old_block = argument(at, 0);
  const std::uint64_t size = argument(at, 1);
  if (old_block != 0 && !bytecode::is_global(old_block) && !bytecode::is_shared_object(old_block))
    co_await fail(ErrorKind::invalid_free, old_block);
  if (old_block != 0 && size == 0) {
    co_await free_object(old_block);
    set_result(at, 0);
    co_return;
  }
  const Address new_block = co_await allocate(size, bytecode::least_alignment, ObjectKind::heap, false, 0);
  if (new_block != 0 && old_block != 0) {
    const std::uint64_t copied =
        std::min({surroundings_.object_size(old_block), size, bytecode::largest_block_operation - 1});
    co_await copy_block(new_block, old_block, copied, false);
    co_await free_object(old_block);
  }
  set_result(at, new_block);
}

// The conventions leave it free how a block is divided: as the recorded execution says, else by alignment.
unsigned ThreadRun::element_size(Address one, Address other, std::uint64_t rest, bool ends) {
  const unsigned recorded = surroundings_.next_element(thread_, one, other, ends);
  const bool possible = recorded == 1 || recorded == 2 || recorded == 4 || recorded == 8;
  if (possible && recorded <= rest) return recorded;
  unsigned size = 8;
  while (size > rest || (is_visible(one) && one % size != 0) || (is_visible(other) && other % size != 0)) size /= 2;
  return size;
}

Task<> ThreadRun::copy_block(Address to, Address from, std::uint64_t size, bool may_overlap) {
  if (size >= bytecode::largest_block_operation) co_await give_up("a block operation on more than 512 MiB");
  if (size == 0) co_return;
  const bool target_is_private = bytecode::is_private(to) && memory_.contains(to, size);
  const bool source_is_private = bytecode::is_private(from) && memory_.contains(from, size);
  if (target_is_private && (source_is_private || is_constant(from, size))) {
    std::vector<std::pair<std::uint8_t, bool>> bytes(size);
    for (std::uint64_t i = 0; i < size; ++i) {
      if (source_is_private) {
        bytes[i] = {memory_.byte(from + i), memory_.written(from + i, 1)};
      } else {
        const bytecode::Global* global = global_at(program_, from);
        bytes[i] = {global->bytes[from - global->address + i], true};
      }
    }
    for (std::uint64_t i = 0; i < size; ++i) memory_.set(to + i, bytes[i].first, bytes[i].second);
    co_return;
  }
  const bool backward = may_overlap && to > from && to - from < size;
  for (std::uint64_t done = 0; done < size;) {
    const std::uint64_t edge = backward ? size - done : done;
    const unsigned element = element_size(to + edge, from + edge, size - done, backward);
    const std::uint64_t offset = backward ? edge - element : edge;
    Access access;
    access.size = element;
    access.of_block = true;
    access.address = from + offset;
    const Value value = co_await read(access);
    access.address = to + offset;
    co_await write(access, value);
    done += element;
  }
}

Task<> ThreadRun::fill_block(Address to, std::uint8_t byte, std::uint64_t size) {
  if (size >= bytecode::largest_block_operation) co_await give_up("a block operation on more than 512 MiB");
  if (size == 0) co_return;
  if (bytecode::is_private(to) && memory_.contains(to, size)) {
    for (std::uint64_t i = 0; i < size; ++i) memory_.set(to + i, byte);
    co_return;
  }
  Value value;
  for (unsigned i = 0; i < 8; ++i) value.low |= std::uint64_t{byte} << (8 * i);
  for (std::uint64_t done = 0; done < size;) {
    Access access;
    access.size = element_size(to + done, 0, size - done, false);
    access.of_block = true;
    access.address = to + done;
    co_await write(access, value);
    done += access.size;
  }
}

// memcmp: the bytes count as unsigned, lowest address first.
Task<> ThreadRun::compare_blocks(const Instruction& at) {
  const Address first = argument(at, 0), second = argument(at, 1);
  const std::uint64_t size = argument(at, 2);
  if (size >= bytecode::largest_block_operation) co_await give_up("a block operation on more than 512 MiB");
  for (std::uint64_t done = 0; done < size;) {
    Access access;
    access.size = element_size(first + done, second + done, size - done, false);
    access.address = first + done;
    const Value left = co_await read(access);
    access.address = second + done;
    const Value right = co_await read(access);
    for (unsigned i = 0; i < access.size; ++i) {
      const std::uint64_t x = left.low >> (8 * i) & 0xff, y = right.low >> (8 * i) & 0xff;
      if (x == y) continue;
      set_result(at, x < y ? 0xffffffff : 1);
      co_return;
    }
    done += access.size;
  }
  set_result(at, 0);
}

Task<> ThreadRun::start_variadic(const Instruction& at) {
  const std::vector<std::uint64_t> arguments = frames_.back().variadic;
  const Address area = memory_.add(arguments.size() * 8, 16);
  for (std::size_t i = 0; i < arguments.size(); ++i) memory_.store(area + i * 8, 8, {arguments[i], 0});
  const std::uint64_t contents[] = {bytecode::all_general_registers_used, bytecode::all_float_registers_used, area, 0};
  for (unsigned i = 0; i < 4; ++i) {
    Access access;
    access.address = slot(at.a) + bytecode::va_list_fields[i].offset;
    access.size = bytecode::va_list_fields[i].size;
    co_await write(access, Value{contents[i], 0});
  }
}

}  // namespace heddle::validate
