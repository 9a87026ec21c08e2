// Any text as a model file: it is read, typed, compiled to automata and put before the prover, as `heddle check --model`
// does. Whatever it is, the outcome is a model or messages, within the limits on size and time.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "consistency/compiled_model.h"
#include "consistency/model.h"
#include "prover/admission.h"

namespace {

using namespace heddle;

void require_messages(const Diagnostics& problems) {
  for (const Diagnostic& problem : problems) {
    HEDDLE_CHECK(!problem.message.empty(), "a problem without a message");
    HEDDLE_CHECK(!problem.file.empty(), "a problem of no file");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto model = consistency::Model::parse(text, "no-such-folder/fuzz.kat");
  if (!model) {
    HEDDLE_CHECK(!model.problems().empty(), "a model was refused without a reason");
    require_messages(model.problems());
    return 0;
  }
  require_messages(prover::objections(prover::admit(model->compiled().ordinary_part())));
  return 0;
}
