// See describe.h.
#include "validate/describe.h"

#include <fmt/format.h>

namespace heddle::validate {

using bytecode::ErrorKind;
using bytecode::RecordedEvent;
using bytecode::RecordedKind;

namespace {

const char* kind_name(RecordedKind kind) {
  switch (kind) {
    case RecordedKind::read: return "read";
    case RecordedKind::write: return "write";
    case RecordedKind::fence: return "fence";
    case RecordedKind::create: return "create";
    case RecordedKind::begin: return "begin";
    case RecordedKind::finish: return "finish";
    case RecordedKind::join: return "join";
    case RecordedKind::allocate: return "allocate";
    case RecordedKind::release: return "release";
    case RecordedKind::meet: return "meet";
    case RecordedKind::arrive: return "arrive";
    case RecordedKind::leave: return "leave";
    case RecordedKind::pass: return "pass";
    case RecordedKind::choice: return "choice";
    case RecordedKind::print: return "print";
    case RecordedKind::other: return "other";
  }
  return "no event";
}

const char* kind_name(Step::Kind kind) {
  switch (kind) {
    case Step::Kind::read: return "read";
    case Step::Kind::write: return "write";
    case Step::Kind::fence: return "fence";
    case Step::Kind::allocate: return "allocate";
    case Step::Kind::release: return "release";
    case Step::Kind::create: return "create";
    case Step::Kind::finish: return "finish";
    case Step::Kind::meet: return "meet";
    case Step::Kind::arrive: return "arrive";
    case Step::Kind::leave: return "leave";
    case Step::Kind::pass: return "pass";
    case Step::Kind::join: return "join";
    case Step::Kind::detach: return "detach";
    case Step::Kind::choose: return "choose";
    case Step::Kind::print: return "print";
    case Step::Kind::loop: return "loop";
    case Step::Kind::blocked: return "blocked";
    case Step::Kind::bounded: return "bounded";
    case Step::Kind::error: return "error";
    case Step::Kind::beyond: return "beyond";
  }
  return "nothing";
}

std::string text_of(Value value) { return fmt::format("{:#x}:{:#x}", value.high, value.low); }
std::string text_of(bytecode::CodePosition place) {
  return fmt::format("function {} instruction {}", place.function, place.instruction);
}

std::string differs(const char* field, const std::string& expected, const std::string& recorded) {
  return fmt::format("{} {} is recorded, the run has {}", field, recorded, expected);
}

}  // namespace

const char* name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::assertion: return "assertion";
    case ErrorKind::race: return "race";
    case ErrorKind::use_after_free: return "use after free";
    case ErrorKind::double_free: return "double free";
    case ErrorKind::invalid_free: return "invalid free";
    case ErrorKind::out_of_bounds: return "out of bounds";
    case ErrorKind::uninitialized: return "uninitialised";
    case ErrorKind::null_dereference: return "null dereference";
    case ErrorKind::deadlock: return "deadlock";
    case ErrorKind::liveness: return "liveness";
    case ErrorKind::lock_misuse: return "lock misuse";
    case ErrorKind::barrier_misuse: return "barrier misuse";
    case ErrorKind::thread_misuse: return "thread misuse";
    case ErrorKind::division_by_zero: return "division by zero";
    case ErrorKind::undefined_behavior: return "undefined behaviour";
    case ErrorKind::memory_leak: return "memory leak";
  }
  return "no error";
}

std::string describe_step(const Step& step) {
  std::string text = step.kind == Step::Kind::error ? name_of(step.error) : kind_name(step.kind);
  text += " at " + text_of(step.position);
  if (step.address != 0) text += fmt::format(", address {:#x}, {} bytes", step.address, step.size);
  return text;
}

std::string describe_difference(const RecordedEvent& expected, const RecordedEvent& recorded) {
  if (expected.kind != recorded.kind) return differs("kind", kind_name(expected.kind), kind_name(recorded.kind));
  if (!(expected.position == recorded.position))
    return differs("place", text_of(expected.position), text_of(recorded.position));
  if (expected.access != recorded.access)
    return differs("part", std::to_string(static_cast<int>(expected.access)),
                   std::to_string(static_cast<int>(recorded.access)));
  if (expected.order != recorded.order)
    return differs("order", heddle::name_of(expected.order), heddle::name_of(recorded.order));
  if (expected.exclusive != recorded.exclusive)
    return differs("exclusive", std::to_string(expected.exclusive), std::to_string(recorded.exclusive));
  if (expected.size != recorded.size)
    return differs("size", std::to_string(expected.size), std::to_string(recorded.size));
  if (expected.address != recorded.address)
    return differs("address", fmt::format("{:#x}", expected.address), fmt::format("{:#x}", recorded.address));
  if (!(expected.value == recorded.value)) return differs("value", text_of(expected.value), text_of(recorded.value));
  if (expected.other_thread != recorded.other_thread)
    return differs("thread", std::to_string(expected.other_thread), std::to_string(recorded.other_thread));
  if (expected.after != recorded.after)
    return differs("what it follows", expected.after ? std::to_string(*expected.after) : "nothing",
                   recorded.after ? std::to_string(*recorded.after) : "nothing");
  if (expected.object != recorded.object)
    return differs("object", std::to_string(expected.object), std::to_string(recorded.object));
  if (expected.thread != recorded.thread || expected.index != recorded.index) return "it is in another place";
  return "";
}

}  // namespace heddle::validate
