// See random_program.h. What a program is about comes first, with a few accesses before and in between; what is left of
// the budget goes behind it. Nothing here does what the program form leaves undefined: a mutex is unlocked by who holds
// it, pointers are followed only where they are not null, threads are joined only where they were created.
#include <algorithm>

#include "random_generator.h"

namespace heddle::cross_check {

const char* name_of(Feature feature) {
  switch (feature) {
    case Feature::basic: return "basic";
    case Feature::trylock: return "trylock";
    case Feature::barrier: return "barrier";
    case Feature::heap: return "heap";
    case Feature::choose: return "choose";
    case Feature::assume: return "assume";
    case Feature::threads: return "threads";
    case Feature::sequence: return "sequence";
    case Feature::loop: return "loop";
    case Feature::array: return "array";
    case Feature::mixed: return "mixed";
  }
  return "?";
}

std::optional<Feature> feature_called(const std::string& name) {
  for (Feature feature : all_features) {
    if (name == name_of(feature)) return feature;
  }
  return std::nullopt;
}

void Generator::add_feature(Feature feature) {
  switch (feature) {
    case Feature::basic: break;
    case Feature::trylock: add_trylock_sections(); break;
    case Feature::barrier: add_barriers(); break;
    case Feature::heap: add_objects(); break;
    case Feature::choose: add_choices(); break;
    case Feature::assume:
      if (random_.one_in(2)) add_trylock_sections();
      add_choices();
      add_assumptions();
      break;
    case Feature::threads: add_created_threads(); break;
    case Feature::sequence: add_release_sequence(); break;
    case Feature::loop: add_loops(); break;
    case Feature::array: add_elements(); break;
    case Feature::mixed: {
      constexpr Feature parts[] = {Feature::trylock, Feature::barrier, Feature::heap, Feature::choose,
                                   Feature::assume,  Feature::threads, Feature::loop};
      std::vector<Feature> chosen;
      if (!program_.arrays.empty()) chosen.push_back(Feature::array);
      for (Feature part : parts) {
        if (random_.one_in(2)) chosen.push_back(part);
      }
      while (chosen.size() > 3) chosen.erase(chosen.begin() + random_.below(static_cast<int>(chosen.size())));
      for (std::size_t i = chosen.size(); i > 1; i--)
        std::swap(chosen[i - 1], chosen[random_.below(static_cast<int>(i))]);
      for (Feature part : chosen) add_feature(part);
    }
  }
}

// An access, at times a skipped one or a fence: never leaves out what comes behind it.
void Generator::add_filler(std::size_t thread) {
  const Operation access = random_access(thread);
  if (!affords(count_events(access))) return;
  if (registers_[thread] > 0 && random_.one_in(6)) {
    Operation skip{.kind = OperationKind::skip_if_equal, .expected = random_.below(2), .skip = 1};
    skip.operand.source = random_.below(std::min(registers_[thread], register_limit));
    append(thread, skip);
  }
  append(thread, access);
}

void Generator::add_trylock_sections() {
  if (program_.mutexes.empty()) {
    program_.mutexes.push_back("m");
    if (random_.one_in(5)) program_.mutexes.push_back("n");
  }
  const int mutexes = static_cast<int>(program_.mutexes.size());
  const std::size_t tries = static_cast<std::size_t>(random_.below(static_cast<int>(program_.threads.size())));
  for (std::size_t thread = 0; thread < program_.threads.size(); thread++) {
    if (thread > 2 && !random_.one_in(3)) continue;
    if (random_.one_in(4)) add_filler(thread);
    add_section(thread, random_.below(mutexes), thread == tries || random_.one_in(3), random_.one_in(8));
  }
  if (random_.one_in(4)) {
    const auto thread = static_cast<std::size_t>(random_.below(static_cast<int>(program_.threads.size())));
    add_section(thread, random_.below(mutexes), true, false);
  }
}

void Generator::add_section(std::size_t thread, int mutex, bool only_tries, bool forgets) {
  if (!affords(3)) return;
  Operation lock{.kind = only_tries ? OperationKind::trylock : OperationKind::lock, .location = mutex};
  lock.target = new_register(thread);
  lock.order = MemoryOrder::acquire;
  append(thread, lock);
  budget_--;  // kept for the unlock
  LitmusThread& code = program_.threads[thread];
  const std::size_t guard = code.size();
  if (only_tries && !forgets) {
    Operation skip{.kind = OperationKind::skip_if_equal, .expected = 1};
    skip.operand.source = lock.target;
    append(thread, skip);
  }
  if (!random_.one_in(5)) add_filler(thread);
  budget_++;
  if (forgets) return;
  append(thread, {.kind = OperationKind::unlock, .location = mutex, .order = MemoryOrder::release});
  if (only_tries) code[guard].skip = static_cast<int>(code.size() - guard) - 1;
}

void Generator::add_barriers() {
  const int threads = static_cast<int>(program_.threads.size());
  const int count = 2 + (threads > 2 && random_.one_in(3));
  const int rounds = random_.one_in(4) ? 2 : 1;
  const int number = static_cast<int>(program_.barriers.size());
  program_.barriers.push_back({"b", count});
  // Usually as many threads as the barrier is for.
  const int participants = std::min(threads, random_.one_in(10) ? count + 1 : count);
  const int lazy = random_.one_in(8) ? random_.below(participants) : -1;  // leaves its last wait out
  for (int i = 0; i < participants; i++) {
    const auto thread = static_cast<std::size_t>(i);
    for (int round = 0; round < rounds - (i == lazy); round++) {
      if (!random_.one_in(3)) add_filler(thread);
      if (!affords(2)) continue;
      if (registers_[thread] > 0 && random_.one_in(10)) {
        Operation skip{.kind = OperationKind::skip_if_equal, .expected = random_.below(2), .skip = 1};
        skip.operand.source = random_.below(std::min(registers_[thread], register_limit));
        append(thread, skip);
      }
      Operation wait{.kind = OperationKind::wait, .location = number};
      wait.target = random_.one_in(3) ? new_register(thread) : no_register;
      append(thread, wait);
    }
  }
}

// Objects are passed on through the location p, which holds nothing else.
void Generator::add_objects() {
  pointers_ = static_cast<int>(program_.locations.size());
  program_.locations.push_back("p");
  const std::size_t threads = program_.threads.size();
  const std::size_t owners = random_.one_in(5) ? 2 : 1;
  for (std::size_t thread = 0; thread < threads; thread++) {
    if (thread >= owners && thread > 1 && !random_.one_in(2)) continue;
    const int pointer = new_register(thread);
    if (thread < owners) {
      append(thread, {.kind = OperationKind::allocate, .target = pointer});
      add_object_uses(thread, pointer, random_.below(2), false);
      Operation publish{.kind = OperationKind::store, .location = pointers_};
      publish.operand.source = pointer;
      publish.order = flavoured(write_orders);
      append(thread, publish);
      add_object_uses(thread, pointer, random_.below(2), random_.one_in(3));
      continue;
    }
    if (!affords(3)) continue;
    Operation get{.kind = OperationKind::load, .target = pointer, .location = pointers_};
    get.order = flavoured(read_orders);
    if (random_.one_in(3)) {  // takes it away
      get.kind = OperationKind::exchange;
      get.order = random_.one_in(2) ? MemoryOrder::acquire_release : flavoured(read_orders);
    }
    append(thread, get);
    LitmusThread& code = program_.threads[thread];
    const std::size_t guard = code.size();
    Operation skip{.kind = OperationKind::skip_if_equal};
    skip.operand.source = pointer;
    append(thread, skip);
    add_object_uses(thread, pointer, random_.below(3), random_.one_in(2));
    code[guard].skip = static_cast<int>(code.size() - guard) - 1;
  }
}

void Generator::add_object_uses(std::size_t thread, int pointer, int uses, bool frees) {
  for (int i = 0; i < uses; i++) {
    Operation use = random_access(thread);
    use.pointer = pointer;
    use.location = 0;
    append(thread, use);
  }
  if (!frees) return;
  Operation release{.kind = OperationKind::release};
  release.operand.source = pointer;
  append(thread, release);
}

void Generator::add_choices() {
  const int choices = 1 + random_.below(2);
  for (int i = 0; i < choices; i++) {
    const auto thread = static_cast<std::size_t>(random_.below(static_cast<int>(program_.threads.size())));
    if (random_.one_in(2)) add_filler(thread);
    Operation choose{.kind = OperationKind::choose, .target = new_register(thread)};
    choose.expected = random_.below(2);
    choose.desired = choose.expected + 1 + random_.one_in(3);
    append(thread, choose);
    if (!affords(2)) return;
    if (random_.one_in(2)) {
      Operation skip{.kind = OperationKind::skip_if_equal, .expected = 1, .skip = 1};
      skip.operand.source = choose.target;
      append(thread, skip);
    } else if (pointers_ < 0) {
      Operation store{.kind = OperationKind::store, .location = 0};
      store.operand.source = choose.target;
      store.order = flavoured(write_orders);
      append(thread, store);
      continue;
    }
    add_filler(thread);
  }
}

// Mostly of what was last read; anything may still come behind it.
void Generator::add_assumptions() {
  for (std::size_t thread = 0; thread < program_.threads.size(); thread++) {
    if (random_.one_in(2)) add_filler(thread);
    if (registers_[thread] == 0 || random_.one_in(3)) continue;
    Operation assume{.kind = OperationKind::assume, .expected = random_.below(2)};
    assume.operand.source = random_.one_in(3) ? random_.below(registers_[thread]) : registers_[thread] - 1;
    append(thread, assume);
  }
}

void Generator::add_created_threads() {
  const int threads = static_cast<int>(program_.threads.size());
  for (int child = threads - 1; child > 0; child--) {
    if (child < threads - 1 && random_.one_in(2)) continue;
    const auto creator = static_cast<std::size_t>(random_.below(child));
    if (!affords(3)) return;
    if (random_.one_in(2)) add_filler(creator);
    if (!affords(2)) return;
    append(creator, {.kind = OperationKind::create, .location = child});
    budget_--;  // kept for the join
    if (!random_.one_in(3)) add_filler(creator);
    budget_++;
    if (!random_.one_in(4)) append(creator, {.kind = OperationKind::join, .location = child});
  }
}

// Data and a flag that is released and written again; a thread that acquires the flag and looks at the data; others that
// write the flag in between.
void Generator::add_release_sequence() {
  if (program_.locations.size() < 2) program_.locations.push_back("y");
  constexpr int data = 0, flag = 1;
  const auto store = [&](std::size_t thread, int location, int value, MemoryOrder order) {
    append(thread, {.kind = OperationKind::store, .location = location, .operand = {no_register, value}, .order = order});
  };
  const MemoryOrder data_order = random_.one_in(2) ? MemoryOrder::plain : MemoryOrder::relaxed;
  store(0, data, 1, data_order);
  store(0, flag, 1, random_.one_in(6) ? MemoryOrder::seq_cst : MemoryOrder::release);
  if (random_.one_in(6)) add_filler(0);
  store(0, flag, 2, MemoryOrder::relaxed);
  const int seen = new_register(1);
  append(1, {.kind = OperationKind::load, .target = seen, .location = flag, .order = MemoryOrder::acquire});
  if (random_.one_in(2)) {
    Operation skip{.kind = OperationKind::skip_if_equal, .expected = random_.below(2), .skip = 1};
    skip.operand.source = seen;
    append(1, skip);
  }
  append(1, {.kind = OperationKind::load, .target = new_register(1), .location = data, .order = data_order});
  for (std::size_t thread = 2; thread < program_.threads.size(); thread++) {
    Operation between{.kind = OperationKind::store, .target = new_register(thread), .location = flag};
    if (random_.one_in(3)) between.kind = OperationKind::fetch_add;
    between.operand = {no_register, 1 + random_.below(3)};
    between.order = random_.one_in(4) ? MemoryOrder::release : MemoryOrder::relaxed;
    append(thread, between);
  }
}

void Generator::append_repeated(std::size_t thread, const Operation& operation, int times) {
  const int events = count_events(operation) * times;
  if (!affords(events)) return;
  append(thread, operation);
  budget_ -= events - count_events(operation);
}

// One thread or two go round once or twice more, at times until they have seen what they wait for.
void Generator::add_loops() {
  const int threads = static_cast<int>(program_.threads.size());
  const int first = random_.below(threads);
  if (random_.one_in(2)) add_filler(static_cast<std::size_t>(random_.below(threads)));
  add_loop(static_cast<std::size_t>(first));
  if (random_.one_in(3)) add_loop(static_cast<std::size_t>(random_.below(threads)));
}

void Generator::add_loop(std::size_t thread) {
  LitmusThread& code = program_.threads[thread];
  const std::size_t begin = code.size();
  const int again = 1 + random_.one_in(3);
  const int seen = new_register(thread);
  const int form = random_.below(4);
  Operation first = random_access(thread);
  first.target = seen;
  if (form == 0) {  // tries until it has changed the value
    first.kind = OperationKind::compare_exchange;
    first.expected = random_.below(2);
    first.desired = first.expected + 1;
    first.operand = {};
    first.order = first.failure_order = flavoured(read_orders);
  } else if (form == 1) {  // waits for a value
    first.kind = OperationKind::load;
    first.expected = first.desired = 0;
    first.operand = {};
    first.order = access_order(read_orders);
  } else if (first.kind == OperationKind::fetch_add) {
    first.operand = {no_register, 1};  // sums of sums are too many values
  }
  append_repeated(thread, first, again + 1);
  if (code.size() == begin) return;
  if (form < 2) {
    Operation skip{.kind = OperationKind::skip_if_equal, .expected = form == 0 ? first.expected : 1, .skip = 1};
    skip.operand.source = seen;
    append(thread, skip);
  } else if (random_.one_in(2)) {
    Operation second = random_access(thread);
    if (second.kind != OperationKind::store && second.kind != OperationKind::load) second.operand = {no_register, 1};
    append_repeated(thread, second, again + 1);
  }
  if (form == 2 && registers_[thread] > 0 && random_.one_in(2)) {  // leaves early
    Operation skip{.kind = OperationKind::skip_if_equal, .expected = random_.below(3), .skip = 1};
    skip.operand.source = random_.below(std::min(registers_[thread], register_limit));
    append(thread, skip);
  }
  append(thread, {.kind = OperationKind::again, .expected = again, .skip = static_cast<int>(code.size() - begin)});
}

// Comes first, so that the text form numbers the locations alike.
void Generator::declare_array() {
  const int size = random_.one_in(4) ? 4 : 2;
  program_.arrays.push_back({static_cast<int>(program_.locations.size()), size});
  for (int i = 0; i < size; i++) program_.locations.push_back("a[" + std::to_string(i) + "]");
}

// Threads read something and use it as an index.
void Generator::add_elements() {
  const Array array = program_.arrays[0];
  for (std::size_t thread = 0; thread < program_.threads.size(); thread++) {
    if (thread > 1 && random_.one_in(2)) continue;
    if (random_.one_in(4)) add_filler(thread);
    Operation read = random_access(thread);
    if (read.kind == OperationKind::store) {
      read.kind = OperationKind::load;
      read.operand = {};
      read.order = access_order(read_orders);
    }
    Operation use = random_access(thread);
    if (!affords(count_events(read) + count_events(use))) continue;
    append(thread, read);
    use.location = array.first;
    use.index = read.target;
    use.target = new_register(thread);
    append(thread, use);
    if (!random_.one_in(3) || !writes_register(use.kind)) continue;
    Operation next = random_access(thread);  // an element that names the next one
    next.location = array.first;
    next.index = use.target;
    append(thread, next);
  }
}

}  // namespace heddle::cross_check
