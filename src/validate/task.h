// Functions that can stop in the middle and go on later, as C++ coroutines. An instruction that makes several accesses
// is then straight code: read, compute, write.
//
// One Stack a thread: the functions in progress, innermost last. Awaiting a Task pushes it, its end pops it, and
// whoever owns the stack resumes the innermost one, so that no call of the checked program, however long its loops,
// uses the host's stack.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::validate {

using Stack = std::vector<std::coroutine_handle<>>;

template <class T>
class Task;

namespace detail {

struct PromiseBase {
  Stack* stack = nullptr;
  std::exception_ptr failure;

  std::suspend_always initial_suspend() noexcept { return {}; }
  auto final_suspend() noexcept {
    struct Pop {
      Stack* stack;
      bool await_ready() noexcept { return false; }
      void await_suspend(std::coroutine_handle<>) noexcept { stack->pop_back(); }
      void await_resume() noexcept {}
    };
    return Pop{stack};
  }
  void unhandled_exception() noexcept { failure = std::current_exception(); }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> result;
  Task<T> get_return_object();
  void return_value(T value) { result = std::move(value); }
  T take() { return std::move(result).value(); }
};

template <>
struct Promise<void> : PromiseBase {
  Task<void> get_return_object();
  void return_void() {}
  void take() {}
};

}  // namespace detail

template <class T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = detail::Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  // As the outermost function of a stack.
  void start(Stack& stack) {
    handle_.promise().stack = &stack;
    stack.push_back(handle_);
  }
  void rethrow_failure() const {
    if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
  }

  bool await_ready() const noexcept { return false; }
  template <class Caller>
  void await_suspend(std::coroutine_handle<Caller> caller) {
    start(*caller.promise().stack);
  }
  T await_resume() {
    rethrow_failure();
    return handle_.promise().take();
  }

 private:
  Handle handle_;
};

namespace detail {

template <class T>
Task<T> Promise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<Promise>::from_promise(*this));
}
inline Task<void> Promise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<Promise>::from_promise(*this));
}

}  // namespace detail

}  // namespace heddle::validate
