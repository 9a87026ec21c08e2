// See distinguished_orders.h.
#include "distinguished_orders.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle::cross_check {

namespace {

const std::set<std::string> known_sets{"NA", "AT", "RLX", "ACQ", "REL", "SC"};

Diagnostics add_sets_in(const std::filesystem::path& file, std::set<std::string>& sets) {
  std::ifstream stream(file);
  if (!stream) return {{.file = file.string(), .message = "cannot be read"}};
  for (std::string line; std::getline(stream, line);) {
    line.resize(std::min(line.size(), line.find("//")));
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (line.starts_with("include") && open != close) {
      const Diagnostics problems = add_sets_in(file.parent_path() / line.substr(open + 1, close - open - 1), sets);
      if (!problems.empty()) return problems;
      continue;
    }
    std::string word;
    for (const char letter : line + " ") {
      if (std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' || letter == '_') {
        word += letter;
        continue;
      }
      if (known_sets.contains(word)) sets.insert(word);
      word.clear();
    }
  }
  return {};
}

// What the sets say about one event: the names of those that it is in.
using Membership = std::set<std::string>;

Membership membership(bool reads, bool writes, bool fences, MemoryOrder order, const std::set<std::string>& sets) {
  Membership in;
  const auto add = [&](const char* set, bool holds) {
    if (holds && sets.contains(set)) in.insert(set);
  };
  add("NA", !fences && order == MemoryOrder::plain);
  add("AT", !fences && order != MemoryOrder::plain);
  add("RLX", order == MemoryOrder::relaxed);
  add("ACQ", !writes && acquires(order));
  add("REL", !reads && releases(order));
  add("SC", order == MemoryOrder::seq_cst);
  return in;
}

std::vector<Membership> memberships(const Operation& operation, const std::set<std::string>& sets) {
  const bool is_fence = operation.kind == OperationKind::fence;
  if (operation.kind == OperationKind::load) return {membership(true, false, false, operation.order, sets)};
  if (operation.kind == OperationKind::store) return {membership(false, true, false, operation.order, sets)};
  if (is_fence) return {membership(false, false, true, operation.order, sets)};
  std::vector<Membership> halves{membership(true, false, false, operation.order, sets),
                                 membership(false, true, false, operation.order, sets)};
  if (operation.kind == OperationKind::compare_exchange) {
    halves.push_back(membership(true, false, false, operation.failure_order, sets));
  }
  return halves;
}

std::vector<MemoryOrder> orders_of(OperationKind kind) {
  using enum MemoryOrder;
  switch (kind) {
    case OperationKind::load: return {plain, relaxed, acquire, seq_cst};
    case OperationKind::store: return {plain, relaxed, release, seq_cst};
    case OperationKind::fence: return {acquire, release, acquire_release, seq_cst};
    default: return {relaxed, acquire, release, acquire_release, seq_cst};
  }
}

}  // namespace

Result<std::set<std::string>> order_sets_in(const std::string& model_file) {
  std::set<std::string> sets;
  Diagnostics problems = add_sets_in(model_file, sets);
  if (!problems.empty()) return problems;
  return sets;
}

std::vector<Operation> distinguished_forms(OperationKind kind, const std::set<std::string>& order_sets) {
  std::vector<Operation> forms;
  std::set<std::vector<Membership>> seen;
  for (const MemoryOrder order : orders_of(kind)) {
    const bool can_fail = kind == OperationKind::compare_exchange;
    for (const MemoryOrder failure : orders_of(can_fail ? OperationKind::load : kind)) {
      Operation form{.kind = kind, .order = order};
      if (can_fail && failure == MemoryOrder::plain) continue;
      if (can_fail) form.failure_order = failure;
      if (seen.insert(memberships(form, order_sets)).second) forms.push_back(form);
    }
  }
  return forms;
}

}  // namespace heddle::cross_check
