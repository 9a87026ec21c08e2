// See litmus_program.h: what can be said about a program without running it. The text form is in parse_program.cpp.
#include "litmus_program.h"

#include <algorithm>

namespace heddle::cross_check {

int count_events(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::skip_if_equal:
    case OperationKind::assume:
    case OperationKind::allocate: return 0;
    case OperationKind::lock:
    case OperationKind::trylock:
    case OperationKind::wait: return 2;
    default: return is_read_modify_write(operation.kind) ? 2 : 1;
  }
}

int count_events(const LitmusProgram& program) {
  int count = 0;
  for (const LitmusThread& thread : program.threads) {
    for (const Operation& operation : thread) count += count_events(operation);
  }
  return count;
}

bool is_read_modify_write(OperationKind kind) {
  return kind == OperationKind::fetch_add || kind == OperationKind::exchange || kind == OperationKind::compare_exchange;
}

bool accesses_location(OperationKind kind) {
  return kind == OperationKind::load || kind == OperationKind::store || is_read_modify_write(kind);
}

bool writes_register(OperationKind kind) {
  return kind == OperationKind::load || is_read_modify_write(kind) || kind == OperationKind::trylock ||
         kind == OperationKind::wait || kind == OperationKind::allocate || kind == OperationKind::choose;
}

std::optional<int> creator_of(const LitmusProgram& program, int thread) {
  for (std::size_t i = 0; i < program.threads.size(); i++) {
    for (const Operation& operation : program.threads[i]) {
      if (operation.kind == OperationKind::create && operation.location == thread) return static_cast<int>(i);
    }
  }
  return std::nullopt;
}

int first_mutex(const LitmusProgram& program) { return static_cast<int>(program.locations.size()); }

int first_object(const LitmusProgram& program, int thread) {
  int number = first_mutex(program) + static_cast<int>(program.mutexes.size());
  for (int i = 0; i < thread; i++) {
    number += static_cast<int>(
        std::count_if(program.threads[i].begin(), program.threads[i].end(),
                      [](const Operation& operation) { return operation.kind == OperationKind::allocate; }));
  }
  return number;
}

int count_memory(const LitmusProgram& program) {
  return first_object(program, static_cast<int>(program.threads.size()));
}

std::string name_of_memory(const LitmusProgram& program, int number) {
  if (number < first_mutex(program)) return program.locations[number];
  if (number < first_object(program, 0)) return program.mutexes[number - first_mutex(program)];
  return "object" + std::to_string(number - first_object(program, 0));
}

std::optional<int> object_at(const LitmusProgram& program, int pointer) {
  const int number = (pointer - first_pointer) / pointer_distance;
  const bool good = pointer >= first_pointer && pointer_to(number) == pointer && number >= first_object(program, 0) &&
                    number < count_memory(program);
  return good ? std::optional(number) : std::nullopt;
}

}  // namespace heddle::cross_check
