// A whole program in bytecode: functions, global variables with their final addresses and bytes, and beside the code
// (never in it) what reports need: source positions and the names and types of variables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bytecode/address_space.h"
#include "bytecode/instruction.h"
#include "bytecode/vocabulary.h"

namespace heddle::bytecode {

struct SourcePosition {
  std::uint32_t file = 0;  // index into Program::files; files[0] is "" for 'unknown'
  std::uint32_t line = 0;  // 1-based; 0 if unknown
  std::uint32_t column = 0;
};

// The source type of a variable, as far as names need it: what lies at which byte.
// Types form a table in Program::types, so recursive types are no problem (pointers have no fields).
struct Type {
  enum class Kind : std::uint8_t {
    unknown,
    signed_integer,
    unsigned_integer,
    boolean,
    character,
    floating,
    pointer,
    structure,
    union_type,
    array
  };
  struct Field {
    std::string name;
    std::uint64_t offset = 0;
    std::uint32_t type = 0;
  };
  Kind kind = Kind::unknown;
  std::string name;            // as the source spells it, e.g. "struct node"
  std::uint64_t size = 0;      // bytes
  std::vector<Field> fields;   // of structures and unions
  std::uint32_t element = 0;   // of arrays and (what they point to) pointers; type 0 is 'unknown'
  std::uint64_t count = 0;     // of arrays
};

// A named object: a global, a thread-local, or a stack variable.
struct ObjectInfo {
  std::string name;
  std::uint32_t type = 0;  // index into Program::types; 0 is 'unknown'
  SourcePosition declared;
};

struct Global {
  ObjectInfo info;
  Address address = 0;
  std::uint64_t size = 0;
  bool constant = false;                 // never written: reading it is no event
  std::vector<std::uint8_t> bytes;       // its initial contents, exactly `size` of them, addresses already filled in
};

// Each thread gets its own copy. Code reaches it at the address that `thread_local_address` constants denote:
// the front end gives private ones an address below, shared ones are placed at the start of the thread's shared range.
struct ThreadLocal {
  ObjectInfo info;
  std::uint64_t size = 0;
  std::uint64_t alignment = 1;
  std::vector<std::uint8_t> bytes;
  bool shared = false;        // its address may reach another thread
  Address offset = 0;         // from privates_begin, or from shared_base(thread): filled in by the front end
};

struct SwitchTable {
  struct Case {
    std::uint64_t value = 0;
    std::uint32_t target = 0;
  };
  std::vector<Case> cases;  // sorted by value
  std::uint32_t default_target = 0;
};

// A loop that may spin (Opcode::watch_loop).
struct WatchedLoop {
  std::vector<std::uint32_t> live;  // registers whose values matter at its head
  // Registers that belong to the machine, from here on: what it knows of two earlier times at the head. As many as
  // `slots` says; no instruction uses them.
  std::uint32_t snapshots = 0;
  // What a blocking function of the library waits for ("a semaphore"); empty: a loop of the program's own.
  std::string waits_for;
  SourcePosition declared;  // where it begins
  bool first_round_merged = false;  // part of its first round stood before it

  std::uint32_t snapshot_slots() const { return 3 + static_cast<std::uint32_t>(live.size()); }  // of one of them
  std::uint32_t slots() const { return 2 + 2 * snapshot_slots(); }
};

struct Function {
  std::string name;
  std::uint32_t register_count = 0;
  std::uint32_t parameter_slots = 0;  // parameters arrive in registers 0 .. parameter_slots - 1
  bool variadic = false;              // further argument slots are kept for va_start
  std::vector<Instruction> code;
  std::vector<SourcePosition> positions;  // one per instruction
  std::vector<std::uint64_t> constants;
  std::vector<Operand> arguments;
  std::vector<SwitchTable> switches;
  std::vector<WatchedLoop> loops;
  std::vector<SourcePosition> counting_loops;  // loops that cannot spin, and so are not watched
  SourcePosition declared;
};

// Gives every loop of the function its registers for snapshots, behind all others: the last step of making a function.
inline void reserve_snapshots(Function& function) {
  for (WatchedLoop& loop : function.loops) {
    loop.snapshots = function.register_count;
    function.register_count += loop.slots();
  }
}

struct Program {
  std::vector<Function> functions;
  std::vector<Global> globals;            // sorted by address
  std::vector<ThreadLocal> thread_locals;
  std::uint64_t private_thread_local_bytes = 0;  // at the start of every thread's private range
  std::uint64_t shared_thread_local_bytes = 0;   // at the start of every thread's shared range
  std::uint32_t entry = 0;                // index of the function to run first
  // Index of the function that every thread runs last, unless it is the main thread that returns: it gets the thread's
  // value and returns it.
  std::optional<std::uint32_t> at_thread_end;
  std::vector<ObjectInfo> objects_of_code;  // named stack objects; entry 0 is the unnamed one
  std::vector<Type> types;  // entry 0 is the unknown type
  std::vector<std::string> files;  // entry 0 is ""
  std::vector<std::string> texts;  // names of unsupported features
};

// The function's instruction at this place, if it is of this kind.
inline const Instruction* instruction_at(const Program& program, CodePosition position, Opcode op) {
  if (position.function >= program.functions.size()) return nullptr;
  const std::vector<Instruction>& code = program.functions[position.function].code;
  return position.instruction < code.size() && code[position.instruction].op == op ? &code[position.instruction]
                                                                                   : nullptr;
}

// The bound that the loop with its Opcode::loop_iterate at this place has for itself.
inline std::optional<std::uint32_t> own_bound_at(const Program& program, CodePosition position) {
  const Instruction* iterate = instruction_at(program, position, Opcode::loop_iterate);
  return iterate != nullptr && iterate->a != no_operand ? std::optional(iterate->a) : std::nullopt;
}

// The loop with an Opcode::watch_loop at this place, which verified programs give an index in range.
inline const WatchedLoop* watched_loop_at(const Program& program, CodePosition position) {
  const Instruction* watch = instruction_at(program, position, Opcode::watch_loop);
  return watch != nullptr ? &program.functions[position.function].loops[watch->a] : nullptr;
}

// Whether a thread that spins there is in a blocking function of the library.
inline bool waits_in_library(const Program& program, CodePosition position) {
  const WatchedLoop* loop = watched_loop_at(program, position);
  return loop != nullptr && !loop->waits_for.empty();
}

// The reads of thread-locals: an address of a shared thread-local differs per thread, so code computes it with this
// library-free instruction: dst <- base of the running thread's shared range + constant. Encoded as Opcode::move with
// `d` == thread_shared_base, a being the constant offset.
inline constexpr std::uint32_t thread_shared_base = 1;

}  // namespace heddle::bytecode
