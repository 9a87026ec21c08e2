// See the header. Tested in native_code_test.cpp (answers) and generator_test.cpp (cache and keys).
#include "consistency/native/generator.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "consistency/native/compile_object.h"
#include "consistency/native/consistent_emitter.h"
#include "consistency/native/link_object.h"
#include "consistency/native/views_emitter.h"

namespace heddle::consistency::native {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

// Where no searches are needed, code without them is code with all of them.
CodeRequest Generator::normal(CodeRequest request) {
  request.with_searches = request.with_searches || !leaves_checks_open(request);
  return request;
}

std::optional<NativeCode> Generator::find(const CodeRequest& given) {
  const CodeRequest request = normal(given);
  const std::lock_guard lock(mutex_);
  return find_locked(request, key_of(request));
}

std::optional<NativeCode> Generator::find_locked(const CodeRequest& request, const std::string& key) {
  if (const auto found = made_.find(key); found != made_.end()) return found->second;
  if (!cache_) return std::nullopt;
  const Clock::time_point start = Clock::now();
  const std::optional<std::string> object = cache_->read(key);
  if (!object) return std::nullopt;
  std::optional<NativeCode> code = finish(request, key, *object);
  if (code)
    remarks_.push_back(fmt::format("checker: compiled code from the cache, {:.1f} ms", milliseconds_since(start)));
  return code;
}

std::optional<NativeCode> Generator::make(const CodeRequest& given) {
  const CodeRequest request = normal(given);
  const std::lock_guard lock(mutex_);
  const std::string key = key_of(request);
  if (auto code = find_locked(request, key)) return code;
  const Clock::time_point start = Clock::now();
  std::string problem;
  const std::optional<std::string> object = compile_object(request, problem);
  if (!object) {
    remarks_.push_back("checker: no compiled code: " + problem);
    return std::nullopt;
  }
  std::optional<NativeCode> code = finish(request, key, *object);
  if (!code) return std::nullopt;
  remarks_.push_back(fmt::format("checker: compiled{}, {:.1f} ms, {} bytes",
                                 request.with_searches ? "" : " without searches", milliseconds_since(start),
                                 object->size()));
  if (cache_) cache_->write(key, *object);
  return code;
}

std::optional<NativeCode> Generator::finish(const CodeRequest& request, const std::string& key,
                                            const std::string& object) {
  std::string problem;
  std::optional<NativeCode> code = link_object(object, problem);
  if (!code) {
    remarks_.push_back("checker: compiled code cannot be linked: " + problem);
    return std::nullopt;
  }
  code->marks_per_event = std::max(marks_of_views(request.model), marks_of_constraints(request.model));
  code->searches =
      std::max<unsigned>(static_cast<unsigned>(request.model.views.size()), searches_of_constraints(request.model));
  made_.emplace(key, *code);
  return code;
}

std::vector<std::string> Generator::remarks() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all = remarks_;
  if (cache_) all.insert(all.end(), cache_->remarks().begin(), cache_->remarks().end());
  return all;
}

}  // namespace heddle::consistency::native
