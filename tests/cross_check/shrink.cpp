// See shrink.h. The simplifications, coarse ones first: drop a thread, drop an operation (a lock with its unlock), turn a
// read-modify-write into a load or a store, turn a register operand into a constant, make values small, weaken an order.
// Each makes the program smaller in a well-founded measure, so the loop ends.
#include "shrink.h"

#include <algorithm>

namespace heddle::cross_check {

namespace {

void remove_operation(LitmusThread& thread, std::size_t position) {
  for (std::size_t i = 0; i < position; i++) {
    Operation& operation = thread[i];
    if (operation.kind == OperationKind::skip_if_equal && i + static_cast<std::size_t>(operation.skip) >= position) {
      operation.skip--;
    }
  }
  thread.erase(thread.begin() + static_cast<std::ptrdiff_t>(position));
}

// The unlock that belongs to the lock at `position`, or the thread's size.
std::size_t matching_unlock(const LitmusThread& thread, std::size_t position) {
  std::size_t i = position + 1;
  while (i < thread.size() && !(thread[i].kind == OperationKind::unlock &&
                                thread[i].location == thread[position].location)) {
    i++;
  }
  return i;
}

void add_removals(const LitmusProgram& program, std::vector<LitmusProgram>& variants) {
  for (std::size_t thread = 0; thread < program.threads.size(); thread++) {
    LitmusProgram variant = program;
    variant.threads.erase(variant.threads.begin() + static_cast<std::ptrdiff_t>(thread));
    variants.push_back(variant);
  }
  for (std::size_t thread = 0; thread < program.threads.size(); thread++) {
    for (std::size_t i = 0; i < program.threads[thread].size(); i++) {
      const OperationKind kind = program.threads[thread][i].kind;
      if (kind == OperationKind::unlock) continue;
      LitmusProgram variant = program;
      if (kind == OperationKind::lock) {
        const std::size_t unlock = matching_unlock(program.threads[thread], i);
        if (unlock < program.threads[thread].size()) remove_operation(variant.threads[thread], unlock);
      }
      remove_operation(variant.threads[thread], i);
      variants.push_back(variant);
    }
  }
}

bool is_reading_order(MemoryOrder order) {
  return order != MemoryOrder::release && order != MemoryOrder::acquire_release;
}
bool is_writing_order(MemoryOrder order) {
  return order != MemoryOrder::acquire && order != MemoryOrder::acquire_release;
}

// Simpler forms of one operation.
std::vector<Operation> simpler_forms(const Operation& operation) {
  std::vector<Operation> forms;
  const auto add = [&](auto change) {
    Operation form = operation;
    change(form);
    if (!(form == operation)) forms.push_back(form);
  };
  if (is_read_modify_write(operation.kind)) {
    add([](Operation& form) {
      if (form.kind == OperationKind::compare_exchange) form.operand.constant = form.desired;
      form.kind = OperationKind::store;
      if (!is_writing_order(form.order)) form.order = MemoryOrder::release;
    });
    add([](Operation& form) {
      form.kind = OperationKind::load;
      if (!is_reading_order(form.order)) form.order = MemoryOrder::acquire;
    });
  }
  if (operation.operand.source != no_register && operation.kind != OperationKind::skip_if_equal) {
    add([](Operation& form) { form.operand = {no_register, 1}; });
    add([](Operation& form) { form.operand.constant = 0; });
  } else if (operation.operand.constant > 1) {
    add([](Operation& form) { form.operand.constant = 1; });
  }
  if (operation.kind == OperationKind::skip_if_equal && operation.skip > 1) add([](Operation& form) { form.skip--; });
  if (operation.kind == OperationKind::compare_exchange && operation.desired > 1) {
    add([](Operation& form) { form.desired = 1; });
  }
  for (int weaker = 0; weaker < static_cast<int>(operation.order); weaker++) {
    const MemoryOrder order = static_cast<MemoryOrder>(weaker);
    // Plain is not simpler but different: races. Relaxed is where weakening ends.
    if (order == MemoryOrder::plain || operation.kind == OperationKind::lock ||
        operation.kind == OperationKind::unlock || operation.kind == OperationKind::skip_if_equal) {
      continue;
    }
    if (operation.kind == OperationKind::fence && order == MemoryOrder::relaxed) continue;
    if (operation.kind == OperationKind::load && !is_reading_order(order)) continue;
    if (operation.kind == OperationKind::store && !is_writing_order(order)) continue;
    if (operation.order == MemoryOrder::release && order == MemoryOrder::acquire) continue;
    add([&](Operation& form) { form.order = order; });
  }
  if (operation.kind == OperationKind::compare_exchange) {
    add([](Operation& form) { form.failure_order = MemoryOrder::relaxed; });
  }
  return forms;
}

void add_simplifications(const LitmusProgram& program, std::vector<LitmusProgram>& variants) {
  for (std::size_t thread = 0; thread < program.threads.size(); thread++) {
    for (std::size_t i = 0; i < program.threads[thread].size(); i++) {
      for (const Operation& form : simpler_forms(program.threads[thread][i])) {
        LitmusProgram variant = program;
        variant.threads[thread][i] = form;
        variants.push_back(variant);
      }
    }
  }
}

}  // namespace

LitmusProgram shrink(const LitmusProgram& program, const std::function<bool(const LitmusProgram&)>& fails) {
  LitmusProgram current = program;
  for (bool progress = true; progress;) {
    std::vector<LitmusProgram> variants;
    add_removals(current, variants);
    add_simplifications(current, variants);
    const auto found = std::find_if(variants.begin(), variants.end(), fails);
    progress = found != variants.end();
    if (progress) {
      LitmusProgram next = std::move(*found);
      current = std::move(next);
    }
  }
  return current;
}

}  // namespace heddle::cross_check
