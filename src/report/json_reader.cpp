// See json_reader.h. Every field is checked for its type before it is used; the JSON library runs without exceptions.
#include "report/json_reader.h"

#include <filesystem>
#include <fstream>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/path_text.h"

namespace heddle::report {

using Json = nlohmann::json;

namespace {

constexpr std::size_t largest_trace = 1u << 28;
constexpr int deepest_trace = 64;

Diagnostic problem(const std::string& name, std::string message, std::string hint = "") {
  return {name, 0, 0, std::move(message), std::move(hint), ""};
}

// Fields are fetched by these; each notes the first one that is missing or of the wrong type.
class Fields {
 public:
  explicit Fields(const Json& object) : object_(object) {}

  std::string text(const char* key) { return get(key, &Json::is_string) ? object_[key].get<std::string>() : ""; }
  bool has(const char* key) const { return object_.contains(key); }
  bool flag(const char* key) { return get(key, &Json::is_boolean) && object_[key].get<bool>(); }
  std::uint64_t number(const char* key, std::uint64_t largest) {
    if (!get(key, &Json::is_number_unsigned)) return 0;
    const auto value = object_[key].get<std::uint64_t>();
    if (value > largest) fail(key);
    return value <= largest ? value : 0;
  }
  std::vector<std::string> texts(const char* key) {
    std::vector<std::string> result;
    if (!get(key, &Json::is_array)) return result;
    for (const Json& item : object_[key]) {
      if (!item.is_string()) {
        fail(key);
        break;
      }
      result.push_back(item.get<std::string>());
    }
    return result;
  }
  bool is_null(const char* key) const { return object_.is_object() && object_.contains(key) && object_[key].is_null(); }
  const std::string& wrong() const { return wrong_; }

 private:
  bool get(const char* key, bool (Json::*is)() const noexcept) {
    if (object_.is_object() && object_.contains(key) && (object_[key].*is)()) return true;
    fail(key);
    return false;
  }
  void fail(const char* key) {
    if (wrong_.empty()) wrong_ = key;
  }

  const Json& object_;
  std::string wrong_;
};

bool too_deep(const std::string& text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_string) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        in_string = false;
    } else if (text[i] == '"') {
      in_string = true;
    } else if (text[i] == '{' || text[i] == '[') {
      if (++depth > deepest_trace) return true;
    } else if (text[i] == '}' || text[i] == ']') {
      --depth;
    }
  }
  return false;
}

Result<Setup> read_setup(const Json& json, const std::string& name) {
  Fields fields(json);
  Setup setup;
  setup.files = fields.texts("files");
  setup.clang_flags = fields.texts("clang_flags");
  setup.entry = fields.text("entry");
  setup.model = fields.text("model");
  constexpr std::uint32_t largest = std::numeric_limits<std::uint32_t>::max();
  if (!fields.is_null("unroll")) setup.unroll = static_cast<std::uint32_t>(fields.number("unroll", largest));
  setup.race_detection = fields.flag("race_detection");
  setup.liveness = fields.flag("liveness");
  setup.spin_assume = fields.flag("spin_assume");
  setup.unordered_barriers = fields.flag("unordered_barriers");
  // Newer than traces.
  setup.merge_peeled_rounds = fields.has("merge_peeled_rounds") && fields.flag("merge_peeled_rounds");
  if (fields.has("spurious_wakeups")) setup.spurious_wakeups = fields.flag("spurious_wakeups");
  if (fields.has("unroll_loops")) setup.unroll_loops = fields.texts("unroll_loops");
  if (fields.has("no_unroll")) setup.no_unroll = fields.texts("no_unroll");
  if (fields.has("futile_pruning")) setup.prune_futile = fields.flag("futile_pruning");
  setup.ignore_rewriting = fields.has("ignore_rewriting") && fields.flag("ignore_rewriting");
  setup.undone_updates = fields.has("undone_updates") && fields.flag("undone_updates");
  setup.undone_among_others = fields.has("undone_among_others") && fields.flag("undone_among_others");
  setup.maximal_shortcut = fields.flag("maximal_shortcut");
  setup.specialise_model = fields.flag("model_specialisation");
  setup.writes_first = fields.flag("writes_first");
  setup.cycle_filter = fields.flag("cycle_filter");
  setup.remember_threads = fields.flag("remember_threads");
  setup.step_limit = fields.number("step_limit", largest);
  if (!fields.wrong().empty()) {
    return problem(name,
                   fmt::format("the trace's field \"replay\".\"{}\" is missing or of the wrong type", fields.wrong()));
  }
  if (setup.files.empty()) return problem(name, "the trace names no source file");
  return setup;
}

}  // namespace

Result<Trace> parse_trace(const std::string& text, const std::string& name, unsigned error) {
  const char* how = "write one with: heddle check --format json --output trace.json FILE...";
  if (too_deep(text)) return problem(name, "this is no trace of Heddle: it is nested too deeply", how);
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return problem(name, "this is no JSON, or it is cut off", how);
  if (!json.is_object() || json.value("tool", Json()) != "heddle")
    return problem(name, "this is no trace of Heddle", how);
  const Json format = json.value("format", Json());
  if (format != trace_format) {
    return problem(name, fmt::format("this trace has format {}, this version of Heddle reads format {}",
                                     format.is_number() ? format.dump() : "unknown", trace_format));
  }
  auto setup = read_setup(json.value("replay", Json()), name);
  if (!setup) return setup.problems();
  const Json errors = json.value("errors", Json());
  if (!errors.is_array()) return problem(name, "the trace's field \"errors\" is missing or of the wrong type");
  if (errors.empty()) return problem(name, "this trace holds no error, so there is nothing to replay");
  if (error < 1 || error > errors.size()) {
    return problem(name, fmt::format("there is no error {}: this trace holds {}", error, errors.size()));
  }
  const Json& chosen = errors[error - 1];
  Fields fields(chosen);
  Trace trace;
  trace.setup = *setup;
  trace.kind = fields.text("kind");
  trace.message = fields.text("message");
  const std::string path = fields.text("path");
  if (!fields.wrong().empty()) {
    return problem(name, fmt::format("the error's field \"{}\" is missing or of the wrong type", fields.wrong()));
  }
  auto choices = decode_path(path);
  if (!choices) return problem(name, "the error's field \"path\" is damaged");
  trace.path = std::move(*choices);
  if (const Json where = chosen.value("location", Json()); where.is_object()) {
    Fields place(where);
    trace.file = place.text("file");
    trace.line = static_cast<std::uint32_t>(place.number("line", std::numeric_limits<std::uint32_t>::max()));
    if (!place.wrong().empty()) return problem(name, "the error's field \"location\" is damaged");
  }
  return trace;
}

Result<Trace> read_trace(const std::string& path, unsigned error) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) return problem(path, "no such file");
  if (std::filesystem::is_directory(path, failure)) return problem(path, "this is a directory, not a trace");
  // Pipes are fine, but nothing is read without end.
  std::ifstream in(path, std::ios::binary);
  std::string text, part(1 << 16, '\0');
  while (in && text.size() <= largest_trace) {
    in.read(part.data(), static_cast<std::streamsize>(part.size()));
    text.append(part, 0, static_cast<std::size_t>(in.gcount()));
  }
  if (text.size() > largest_trace) return problem(path, "this file is too large for a trace");
  if (!in.eof() || in.bad()) return problem(path, "the file cannot be read");
  return parse_trace(text, path, error);
}

}  // namespace heddle::report
