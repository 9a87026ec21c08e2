// How `heddle check` runs its model: the code generator it passes to the exploration, and when that is used.
#pragma once

#include <memory>

#include "cli/options.h"
#include "consistency/native_code.h"

namespace heddle::consistency::native {
class Generator;
}

namespace heddle::cli {

class CheckerChoice {
 public:
  explicit CheckerChoice(const CheckOptions& options);
  ~CheckerChoice();

  consistency::NativeOptions native_options() const;
  // What became of it, for --verbose: one line each.
  std::vector<std::string> remarks() const;

 private:
  std::unique_ptr<consistency::native::Generator> generator_;
  CheckerKind kind_;
};

}  // namespace heddle::cli
