// Compiled checkers: from the cache on disk, or made by LLVM when they are asked for.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "consistency/native/object_cache.h"
#include "consistency/native_code.h"

namespace heddle::consistency::native {

class Generator : public CodeGenerator {
 public:
  // `cache`: null for none.
  explicit Generator(std::unique_ptr<ObjectCache> cache) : cache_(std::move(cache)) {}

  std::optional<NativeCode> find(const CodeRequest& request) override;
  std::optional<NativeCode> make(const CodeRequest& request) override;

  // What happened, a line each: where code came from, how long it took, why there is none.
  std::vector<std::string> remarks() const;

 private:
  static CodeRequest normal(CodeRequest request);
  std::optional<NativeCode> find_locked(const CodeRequest& request, const std::string& key);
  std::optional<NativeCode> finish(const CodeRequest& request, const std::string& key, const std::string& object);

  mutable std::mutex mutex_;  // one generator serves all workers
  std::unique_ptr<ObjectCache> cache_;
  std::map<std::string, NativeCode> made_;  // by key
  std::vector<std::string> remarks_;
};

// Everything that the code depends on, as text: automata, labels, layouts, LLVM, processor and this very program.
std::string key_of(const CodeRequest& request);

}  // namespace heddle::consistency::native
