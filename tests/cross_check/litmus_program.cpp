// See litmus_program.h: what can be said about a program without running it. The text form is in parse_program.cpp.
#include "litmus_program.h"

#include <algorithm>

namespace heddle::cross_check {

int count_events(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::skip_if_equal:
    case OperationKind::again:
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
    for (std::size_t i = 0; i < thread.size(); i++) count += count_events(thread[i]) * count_repetitions(thread, i);
  }
  return count;
}

int count_repetitions(const LitmusThread& thread, std::size_t position) {
  int count = 1;
  for (std::size_t i = position + 1; i < thread.size(); i++) {
    const Operation& operation = thread[i];
    const bool reaches = operation.kind == OperationKind::again && i <= position + static_cast<std::size_t>(operation.skip);
    if (reaches) count *= operation.expected + 1;
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

const Array* array_at(const LitmusProgram& program, int location) {
  const auto found = std::find_if(program.arrays.begin(), program.arrays.end(),
                                  [&](const Array& array) { return array.first == location; });
  return found == program.arrays.end() ? nullptr : &*found;
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
