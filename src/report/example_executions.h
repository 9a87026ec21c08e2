// Hand-made programs and executions for the unit tests of this folder: message passing, store buffering, a deadlock,
// a race, a use after free. Only tests include this. Instruction n of every function stands for source line n.
#pragma once

#include <string>

#include "bytecode/program.h"
#include "bytecode/recorded_execution.h"
#include "report/check_report.h"

namespace heddle::report {

struct Example {
  bytecode::Program program;
  bytecode::Violation violation;

  explicit Example(const std::string& file = "example.c") {
    program.files = {"", file};
    program.types.resize(3);
    program.types[1] = {bytecode::Type::Kind::signed_integer, "int", 4, {}, 0, 0};
    program.types[2] = {
        bytecode::Type::Kind::structure, "pthread_mutex_t", 40, {{"__lock", 0, 1}, {"__rest", 4, 0}}, 0, 0};
    program.objects_of_code.resize(1);
    thread("main");
  }

  bytecode::Address global(const std::string& name, std::uint32_t type = 1) {
    const std::uint64_t size = program.types[type].size;
    bytecode::Address address = bytecode::globals_begin;
    if (!program.globals.empty())
      address = program.globals.back().address + program.globals.back().size + bytecode::object_gap;
    program.globals.push_back({{name, type, {}}, address, size, false, std::vector<std::uint8_t>(size)});
    return address;
  }

  std::uint32_t function(const std::string& name) {
    for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
      if (program.functions[f].name == name) return f;
    }
    bytecode::Function function;
    function.name = name;
    for (std::uint32_t line = 0; line < 100; ++line) function.positions.push_back({1, line, 5});
    program.functions.push_back(function);
    return static_cast<std::uint32_t>(program.functions.size() - 1);
  }

  std::uint32_t thread(const std::string& name) {
    const auto id = static_cast<std::uint32_t>(violation.execution.threads.size());
    bytecode::RecordedThread thread{id, function(name), std::nullopt, {}};
    if (id != 0) {
      thread.creator = 0;
      thread.created = {0, 40 + id};
      bytecode::RecordedEvent create = event(0, 40 + id, bytecode::RecordedKind::create);
      create.other_thread = id;
      add(create);
    }
    violation.execution.threads.push_back(thread);
    if (id != 0) add(event(id, 0, bytecode::RecordedKind::begin));
    return id;
  }

  bytecode::CodePosition at(std::uint32_t thread, std::uint32_t line) const {
    return {violation.execution.threads[thread].function, line};
  }

  bytecode::RecordedEvent event(std::uint32_t thread, std::uint32_t line, bytecode::RecordedKind kind) const {
    bytecode::RecordedEvent result;
    result.thread = thread;
    result.kind = kind;
    if (thread < violation.execution.threads.size()) result.position = at(thread, line);
    return result;
  }

  std::uint32_t add(bytecode::RecordedEvent event) {
    for (const bytecode::RecordedEvent& other : violation.execution.events)
      event.index += other.thread == event.thread ? 1 : 0;
    violation.execution.events.push_back(event);
    return static_cast<std::uint32_t>(violation.execution.events.size() - 1);
  }

  std::uint32_t write(std::uint32_t thread, std::uint32_t line, bytecode::Address address, std::uint64_t value,
                      MemoryOrder order, std::uint32_t rank = 1) {
    bytecode::RecordedEvent result = event(thread, line, bytecode::RecordedKind::write);
    result.size = 4;
    result.address = address;
    result.value.low = value;
    result.order = order;
    result.coherence_rank = rank;
    return add(result);
  }

  std::uint32_t read(std::uint32_t thread, std::uint32_t line, bytecode::Address address, std::uint64_t value,
                     MemoryOrder order, std::uint32_t from = bytecode::initial_write) {
    bytecode::RecordedEvent result = event(thread, line, bytecode::RecordedKind::read);
    result.size = 4;
    result.address = address;
    result.value.low = value;
    result.order = order;
    result.reads_from = from;
    return add(result);
  }

  // Both halves of taking a mutex; returns the write.
  std::uint32_t lock(std::uint32_t thread, std::uint32_t line, bytecode::Address mutex, std::uint32_t rank) {
    const std::uint32_t r = read(thread, line, mutex, 0, MemoryOrder::acquire);
    const std::uint32_t w = write(thread, line, mutex, 1, MemoryOrder::relaxed, rank);
    for (const std::uint32_t e : {r, w}) {
      violation.execution.events[e].exclusive = true;
      violation.execution.events[e].access = bytecode::AccessKind::lock;
    }
    return w;
  }

  void fail(bytecode::ErrorKind kind, const std::string& message, std::uint32_t thread, std::uint32_t line) {
    violation.kind = kind;
    violation.message = message;
    violation.thread = thread;
    violation.position = at(thread, line);
    violation.path = {0, 0, 0, 1};
  }

  CheckReport report() const {
    CheckReport result;
    result.setup.files = {program.files[1]};
    result.model_name = "rc11";
    result.verdict = Verdict::violated;
    result.complete = 2;
    result.errors = {violation};
    result.seconds = 0.018;
    result.peak_memory_mb = 21;
    return result;
  }
};

inline Example message_passing(MemoryOrder write_order, MemoryOrder read_order) {
  Example e("mp.c");
  const auto data = e.global("data"), ready = e.global("ready");
  const auto writer = e.thread("writer"), reader = e.thread("reader");
  e.write(writer, 12, data, 42, MemoryOrder::relaxed);
  const auto flag = e.write(writer, 13, ready, 1, write_order);
  e.read(reader, 20, ready, 1, read_order, flag);
  e.read(reader, 23, data, 0, MemoryOrder::relaxed);
  e.fail(bytecode::ErrorKind::assertion, "data == 42", reader, 24);
  return e;
}

inline Example store_buffering(MemoryOrder order) {
  Example e("sb.c");
  const auto x = e.global("x"), y = e.global("y"), a = e.global("a"), b = e.global("b");
  const auto left = e.thread("left"), right = e.thread("right");
  e.write(left, 8, x, 1, order);
  const auto ra = e.read(left, 9, y, 0, order);
  (void)ra;
  const auto wa = e.write(left, 9, a, 0, MemoryOrder::plain);
  e.write(right, 15, y, 1, order);
  e.read(right, 16, x, 0, order);
  const auto wb = e.write(right, 16, b, 0, MemoryOrder::plain);
  for (const auto t : {left, right}) {
    e.add(e.event(t, 18, bytecode::RecordedKind::finish));
    auto join = e.event(0, 50 + t, bytecode::RecordedKind::join);
    join.other_thread = t;
    e.add(join);
  }
  e.read(0, 30, a, 0, MemoryOrder::plain, wa);
  e.read(0, 30, b, 0, MemoryOrder::plain, wb);
  e.fail(bytecode::ErrorKind::assertion, "a == 1 || b == 1", 0, 30);
  return e;
}

inline Example lock_cycle() {
  Example e("abba.c");
  const auto first = e.global("first", 2), second = e.global("second", 2);
  const auto forwards = e.thread("forwards"), backwards = e.thread("backwards");
  e.lock(forwards, 12, first, 1);
  e.lock(backwards, 23, second, 1);
  e.fail(bytecode::ErrorKind::deadlock, "", forwards, 13);
  using For = bytecode::RecordedWait::For;
  e.violation.waits = {{0, e.at(0, 45), For::thread, 0, forwards},
                       {forwards, e.at(forwards, 13), For::mutex, second, backwards},
                       {backwards, e.at(backwards, 24), For::mutex, first, forwards}};
  return e;
}

inline Example plain_race() {
  Example e("race.c");
  const auto counter = e.global("counter");
  const auto one = e.thread("worker"), two = e.thread("worker");
  e.read(one, 8, counter, 0, MemoryOrder::plain);
  const auto w1 = e.write(one, 8, counter, 1, MemoryOrder::plain);
  const auto r2 = e.read(two, 8, counter, 1, MemoryOrder::plain, w1);
  e.fail(bytecode::ErrorKind::race, "", two, 8);
  e.violation.address = counter;
  e.violation.size = 4;
  e.violation.events = {r2, w1};
  return e;
}

inline Example freed_too_early() {
  Example e("free.c");
  const auto node = e.global("node");
  const auto owner = e.thread("owner"), user = e.thread("user");
  bytecode::RecordedObject object{bytecode::shared_base(1), 16, bytecode::ObjectKind::heap, owner, 0, e.at(owner, 10),
                                  e.at(owner, 12)};
  e.violation.execution.objects = {object};
  e.add(e.event(owner, 10, bytecode::RecordedKind::allocate));
  const auto published = e.write(owner, 11, node, 7, MemoryOrder::release);
  e.read(user, 20, node, 7, MemoryOrder::acquire, published);
  e.add(e.event(owner, 12, bytecode::RecordedKind::release));
  e.fail(bytecode::ErrorKind::use_after_free, "", user, 21);
  e.violation.address = object.address + 8;
  e.violation.size = 4;
  return e;
}

}  // namespace heddle::report
