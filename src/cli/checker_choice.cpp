// See the header. Tested by tests/cases (both checkers) and tests/run_checkers.py.
#include "cli/checker_choice.h"

#include "consistency/native/generator.h"

namespace heddle::cli {

using consistency::native::Generator;
using consistency::native::ObjectCache;

namespace {

// Making code costs about as much as this much work of the tables (bench/checker), so that a run is never much slower
// than with the better choice.
constexpr std::uint64_t work_before_code = 400'000;

// The same for the part of the code that decides what the cycle filter leaves open.
constexpr std::uint64_t open_checks_before_code = 20'000;

}  // namespace

CheckerChoice::CheckerChoice(const CheckOptions& options) : kind_(options.checker) {
  if (kind_ == CheckerKind::table) return;
  std::unique_ptr<ObjectCache> cache;
  if (options.cache) {
    if (std::string folder = ObjectCache::usual_folder(); !folder.empty())
      cache = std::make_unique<ObjectCache>(std::move(folder));
  }
  generator_ = std::make_unique<Generator>(std::move(cache));
}

CheckerChoice::~CheckerChoice() = default;

consistency::NativeOptions CheckerChoice::native_options() const {
  if (kind_ == CheckerKind::native) return {generator_.get(), 0, 256};
  return {generator_.get(), work_before_code, open_checks_before_code};
}

std::vector<std::string> CheckerChoice::remarks() const {
  if (!generator_) return {};
  std::vector<std::string> remarks = generator_->remarks();
  if (remarks.empty()) remarks.push_back("checker: tables; the run was too short for compiled code");
  return remarks;
}

}  // namespace heddle::cli
