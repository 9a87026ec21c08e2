// See shrink.h. The simplifications, coarse ones first: drop a thread, drop an operation (a lock with its unlock, a
// create with its join), turn a read-modify-write into a load or a store, turn a register operand into a constant, make
// values small, weaken an order. Each makes the program smaller in a well-founded measure, so the loop ends.
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
  for (std::size_t i = position + 1; i < thread.size(); i++) {
    Operation& operation = thread[i];
    if (operation.kind == OperationKind::again && i <= position + static_cast<std::size_t>(operation.skip)) {
      operation.skip--;
    }
  }
  thread.erase(thread.begin() + static_cast<std::ptrdiff_t>(position));
}

// The operation that goes with the one at `position`: the unlock of a lock, the join of a create. Or the thread's size.
std::size_t partner_of(const LitmusThread& thread, std::size_t position) {
  const OperationKind kind = thread[position].kind;
  const bool takes_mutex = kind == OperationKind::lock || kind == OperationKind::trylock;
  if (!takes_mutex && kind != OperationKind::create) return thread.size();
  const OperationKind partner = takes_mutex ? OperationKind::unlock : OperationKind::join;
  std::size_t i = position + 1;
  while (i < thread.size() && !(thread[i].kind == partner && thread[i].location == thread[position].location)) i++;
  return i;
}

// Nobody creates the thread any more, and the later ones move up.
LitmusProgram without_thread(const LitmusProgram& program, std::size_t thread) {
  LitmusProgram variant = program;
  const int number = static_cast<int>(thread);
  for (LitmusThread& code : variant.threads) {
    for (std::size_t i = code.size(); i-- > 0;) {
      if (code[i].kind != OperationKind::create && code[i].kind != OperationKind::join) continue;
      if (code[i].location == number) {
        remove_operation(code, i);
      } else if (code[i].location > number) {
        code[i].location--;
      }
    }
  }
  variant.threads.erase(variant.threads.begin() + static_cast<std::ptrdiff_t>(thread));
  return variant;
}

// The barriers that the thread waits at are for one thread less.
LitmusProgram with_smaller_barriers(const LitmusProgram& program, std::size_t thread) {
  LitmusProgram variant = program;
  for (std::size_t barrier = 0; barrier < program.barriers.size(); barrier++) {
    const bool waits = std::any_of(program.threads[thread].begin(), program.threads[thread].end(), [&](const auto& o) {
      return o.kind == OperationKind::wait && o.location == static_cast<int>(barrier);
    });
    if (waits && variant.barriers[barrier].count > 1) variant.barriers[barrier].count--;
  }
  return variant;
}

void add_removals(const LitmusProgram& program, std::vector<LitmusProgram>& variants) {
  for (std::size_t thread = 0; thread < program.threads.size(); thread++) {
    variants.push_back(without_thread(program, thread));
    const LitmusProgram smaller = with_smaller_barriers(program, thread);
    if (!(smaller == program)) variants.push_back(without_thread(smaller, thread));
  }
  for (std::size_t thread = 0; thread < program.threads.size(); thread++) {
    for (std::size_t i = 0; i < program.threads[thread].size(); i++) {
      if (program.threads[thread][i].kind == OperationKind::unlock) continue;
      LitmusProgram variant = program;
      const std::size_t partner = partner_of(program.threads[thread], i);
      if (partner < program.threads[thread].size()) remove_operation(variant.threads[thread], partner);
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
  const bool has_orders = accesses_location(operation.kind) || operation.kind == OperationKind::fence;
  if (operation.operand.source != no_register && accesses_location(operation.kind)) {
    add([](Operation& form) { form.operand = {no_register, 1}; });
    add([](Operation& form) { form.operand.constant = 0; });
  } else if (operation.operand.constant > 1) {
    add([](Operation& form) { form.operand.constant = 1; });
  }
  if (operation.kind == OperationKind::skip_if_equal && operation.skip > 1) add([](Operation& form) { form.skip--; });
  if (operation.kind == OperationKind::again && operation.expected > 0) add([](Operation& form) { form.expected--; });
  if (operation.index != no_register) add([](Operation& form) { form.index = no_register; });
  if (operation.kind == OperationKind::wait) add([](Operation& form) { form.target = no_register; });
  if (operation.kind == OperationKind::choose && operation.desired > operation.expected) {
    add([](Operation& form) { form.desired--; });
    add([](Operation& form) { form.expected++; });
  }
  if (operation.kind == OperationKind::compare_exchange && operation.desired > 1) {
    add([](Operation& form) { form.desired = 1; });
  }
  for (int weaker = 0; weaker < static_cast<int>(operation.order); weaker++) {
    const MemoryOrder order = static_cast<MemoryOrder>(weaker);
    // Plain is not simpler but different: races. Relaxed is where weakening ends.
    if (order == MemoryOrder::plain || !has_orders) continue;
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
