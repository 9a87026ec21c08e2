// A memory model: a .kat file, read, typed and compiled to automata. Immutable once loaded.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace heddle::consistency {

struct ErrorRule {
  std::string name;        // as in the file, e.g. "race"
  bool warning = false;
};

class CompiledModel;  // automata and tables; see compiled_model.h

class Model {
 public:
  // Reads the file; `include` is looked up beside it.
  static Result<Model> load(const std::string& path);
  // The same from text; `name` stands in for the path in messages.
  static Result<Model> parse(const std::string& text, const std::string& name);

  const std::string& name() const { return name_; }    // "rc11"
  const std::string& title() const { return title_; }  // first comment line of the file
  // Does it have constraints or rules that only check_full can evaluate, on executions that have ended?
  bool has_late_parts() const;
  unsigned view_count() const;                         // including view 0, the causal one
  const CompiledModel& compiled() const { return *compiled_; }

 private:
  std::string name_, title_;
  std::shared_ptr<const CompiledModel> compiled_;
};

}  // namespace heddle::consistency
