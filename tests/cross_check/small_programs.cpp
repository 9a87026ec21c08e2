// See small_programs.h. Threads are numbered; a program is an ascending sequence of thread numbers, and of the two that
// exchanging the locations turns into each other the smaller one is kept.
#include "small_programs.h"

#include <algorithm>
#include <initializer_list>
#include <map>

#include "distinguished_orders.h"

namespace heddle::cross_check {

namespace {

constexpr int location_count = 2;
constexpr int thread_limit = 3;

MemoryOrder reading_part(MemoryOrder order) {
  if (order == MemoryOrder::release) return MemoryOrder::relaxed;
  return order == MemoryOrder::acquire_release ? MemoryOrder::acquire : order;
}

bool is_plain(const Operation& operation) { return operation.order == MemoryOrder::plain; }

// Whether the part has a form of the kind; `forms` are all forms of that kind, weakest first.
bool is_in_part(MenuPart part, const Operation& form, const std::vector<Operation>& forms) {
  const bool is_access = form.kind == OperationKind::load || form.kind == OperationKind::store;
  const bool is_relaxed = form.order == MemoryOrder::relaxed;
  const auto weakest = std::find_if_not(forms.begin(), forms.end(), is_plain);
  switch (part) {
    case MenuPart::all: return !is_plain(form);
    case MenuPart::accesses: return is_access && !is_plain(form);
    case MenuPart::fences:
      return form.kind == OperationKind::fence || (is_access && (is_relaxed || form.order == MemoryOrder::seq_cst));
    case MenuPart::exchanges: return (is_access && is_relaxed) || form.kind == OperationKind::exchange;
    case MenuPart::compares:
      return (is_access && is_relaxed) || (form.kind == OperationKind::compare_exchange &&
                                           form.failure_order == reading_part(form.order));
    case MenuPart::mixed:
      if (form.kind == OperationKind::exchange) return form == *weakest;
      return form == forms.back() || (is_access && form == *weakest);
    case MenuPart::races:
      return (is_access && form.order != MemoryOrder::seq_cst) ||
             (form.kind == OperationKind::fence && form == forms.back());
  }
  return false;
}

// Every location that is used at all is used by two threads and written.
bool interact(std::initializer_list<int> uses, int written) {
  int used = 0, shared = 0;
  for (const int use : uses) {
    shared |= used & use;
    used |= use;
  }
  return used == shared && (used & ~written) == 0;
}

std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

}  // namespace

const char* name_of(MenuPart part) {
  switch (part) {
    case MenuPart::all: return "all";
    case MenuPart::accesses: return "accesses";
    case MenuPart::fences: return "fences";
    case MenuPart::exchanges: return "exchanges";
    case MenuPart::compares: return "compares";
    case MenuPart::mixed: return "mixed";
    case MenuPart::races: return "races";
  }
  return "?";
}

std::vector<Operation> menu_of(MenuPart part, const std::set<std::string>& order_sets) {
  std::vector<Operation> menu;
  for (const OperationKind kind : {OperationKind::load, OperationKind::store, OperationKind::exchange,
                                   OperationKind::compare_exchange, OperationKind::fence}) {
    const std::vector<Operation> forms = distinguished_forms(kind, order_sets);
    std::copy_if(forms.begin(), forms.end(), std::back_inserter(menu),
                 [&](const Operation& form) { return is_in_part(part, form, forms); });
  }
  return menu;
}

bool Slice::contains(std::uint64_t program) const { return mixed(program) % count == number; }

SmallPrograms::SmallPrograms(const std::vector<Operation>& menu, Shape shape) : menu_(menu), shape_(shape) {
  const int size = static_cast<int>(menu.size());
  std::vector<std::vector<int>> all{{}};
  std::map<std::vector<int>, std::uint32_t> numbers;
  for (std::size_t begin = 0, end = 1, length = 0; length < static_cast<std::size_t>(shape.length); length++) {
    for (std::size_t i = begin; i < end; i++) {
      for (int entry = 0; entry < location_count * size; entry++) {
        if (entry >= size && menu[entry - size].kind == OperationKind::fence) continue;
        all.push_back(all[i]);
        all.back().push_back(entry);
      }
    }
    begin = end;
    end = all.size();
  }
  for (std::size_t i = 1; i < all.size(); i++) {
    Thread thread{.entries = all[i]};
    for (const int entry : thread.entries) {
      const Operation& operation = menu[entry % size];
      if (operation.kind == OperationKind::fence) continue;
      const auto location = static_cast<std::uint8_t>(1 << (entry / size));
      thread.uses |= location;
      if (operation.kind != OperationKind::load) thread.writes |= location;
    }
    if (thread.uses == 0) continue;
    numbers.emplace(thread.entries, static_cast<std::uint32_t>(threads_.size()));
    threads_.push_back(thread);
  }
  for (Thread& thread : threads_) {
    std::vector<int> twin = thread.entries;
    for (int& entry : twin) {
      if (menu[entry % size].kind != OperationKind::fence) entry = (entry + size) % (location_count * size);
    }
    thread.twin = numbers.at(twin);
  }
}

bool SmallPrograms::is_chosen(const std::uint32_t* chosen) const {
  const Thread &first = threads_[chosen[0]], &second = threads_[chosen[1]];
  std::uint32_t twins[thread_limit] = {first.twin, second.twin};
  if (shape_.threads == 2) {
    if (!interact({first.uses, second.uses}, first.writes | second.writes)) return false;
  } else {
    const Thread& third = threads_[chosen[2]];
    if (!interact({first.uses, second.uses, third.uses}, first.writes | second.writes | third.writes)) return false;
    twins[2] = third.twin;
  }
  for (int i = 1; i < shape_.threads; i++) {
    for (int j = i; j > 0 && twins[j] < twins[j - 1]; j--) std::swap(twins[j], twins[j - 1]);
  }
  return !std::lexicographical_compare(twins, twins + shape_.threads, chosen, chosen + shape_.threads);
}

// Calls found(chosen) for every program until it returns false.
template <typename Found>
void SmallPrograms::enumerate(const Found& found) const {
  const auto count = static_cast<std::uint32_t>(threads_.size());
  std::uint32_t chosen[thread_limit] = {};
  for (chosen[0] = 0; chosen[0] < count; chosen[0]++) {
    if (threads_[chosen[0]].twin < chosen[0]) continue;  // its twin would come first
    for (chosen[1] = chosen[0]; chosen[1] < count; chosen[1]++) {
      if (shape_.threads == 2) {
        if (is_chosen(chosen) && !found(chosen)) return;
        continue;
      }
      for (chosen[2] = chosen[1]; chosen[2] < count; chosen[2]++) {
        if (is_chosen(chosen) && !found(chosen)) return;
      }
    }
  }
}

LitmusProgram SmallPrograms::build(const std::uint32_t* chosen) const {
  LitmusProgram program;
  program.locations = {"x", "y"};
  int written = 0;
  for (int i = 0; i < shape_.threads; i++) {
    LitmusThread& thread = program.threads.emplace_back();
    for (const int entry : threads_[chosen[i]].entries) {
      Operation operation = menu_[entry % static_cast<int>(menu_.size())];
      operation.location = entry / static_cast<int>(menu_.size());
      operation.target = static_cast<int>(thread.size());
      const bool writes = accesses_location(operation.kind) && operation.kind != OperationKind::load;
      if (writes) written++;
      if (operation.kind == OperationKind::compare_exchange) {
        operation.desired = written;
      } else if (writes) {
        operation.operand.constant = written;
      }
      thread.push_back(operation);
    }
  }
  return program;
}

// Burnside's lemma: as many programs as the permutations of threads and locations leave unchanged on average. Exchanging
// the locations changes every thread, so it leaves a pair of threads unchanged only if they are twins, and never three.
std::uint64_t SmallPrograms::count() const {
  std::map<std::pair<int, int>, std::uint64_t> kinds;  // threads by what they use and write
  std::uint64_t equal = 0, twins = 0;
  for (const Thread& thread : threads_) {
    const Thread& twin = threads_[thread.twin];
    kinds[{thread.uses, thread.writes}]++;
    equal += interact({thread.uses, thread.uses}, thread.writes);
    twins += interact({thread.uses, twin.uses}, thread.writes | twin.writes);
  }
  std::uint64_t pairs = 0, triples = 0, with_equal = 0;
  for (const auto& [a, of_a] : kinds) {
    for (const auto& [b, of_b] : kinds) {
      if (interact({a.first, b.first}, a.second | b.second)) pairs += of_a * of_b;
      if (interact({a.first, a.first, b.first}, a.second | b.second)) with_equal += of_a * of_b;
      for (const auto& [c, of_c] : kinds) {
        if (interact({a.first, b.first, c.first}, a.second | b.second | c.second)) triples += of_a * of_b * of_c;
      }
    }
  }
  if (shape_.threads == 2) return (pairs + equal + twins) / 4;
  return (triples + 3 * with_equal + 2 * equal) / 12;
}

void SmallPrograms::for_each(const Slice& slice, const Visit& visit) const {
  std::uint64_t number = 0;
  enumerate([&](const std::uint32_t* chosen) {
    const std::uint64_t current = number++;
    return !slice.contains(current) || visit(current, build(chosen));
  });
}

}  // namespace heddle::cross_check
