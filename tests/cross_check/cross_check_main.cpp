// cross_check: compares the tool with the reference on any number of programs. Exit code 0: they agree, 1: they differ
// (each difference is printed, shrunk), 2: bad arguments.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "compare.h"
#include "families.h"
#include "random_program.h"

namespace heddle::cross_check {
namespace {

const char usage[] =
    "cross_check [options] [FILE.litmus-text ...]\n"
    "  --seed S              first seed (1)\n"
    "  --count N             random programs (300; 0 if files or families are given)\n"
    "  --events E            events of a random program (8)\n"
    "  --feature F           what random programs are about: basic, trylock, barrier, heap, choose, assume, threads,\n"
    "                        sequence, loop, array or mixed; or all, which take turns (all)\n"
    "  --model M             a name that `heddle models` lists, or all (all)\n"
    "  --families            list the families of small programs, with how many there are and whether they are huge\n"
    "  --family NAME         the small programs of a family, under all models that share it\n"
    "  --slice K/N           only the K-th of N parts of the family, K from 0\n"
    "  --settings S          of the tool, see compare.h: one (its defaults), two, three or each (one, and two for\n"
    "                        every eighth program; two for files)\n"
    "  --compiled            also with the model compiled for every single program (slow)\n"
    "  --progress            say every minute how far it is\n"
    "  --tso-failed-cas-reads    let the reference take a failed compare-exchange for an ordinary read\n"
    "  --failed-trylock-relaxed  let the reference take a failed trylock for a relaxed read\n"
    "  --failures F          stop after F failing programs (5)\n";

struct Arguments {
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> count;
  RandomProgramOptions random;
  bool every_feature = true;
  std::vector<ReferenceModel> models{std::begin(all_models), std::end(all_models)};
  bool list_families = false;
  std::string family;
  Slice slice;
  std::optional<Settings> settings;
  ComparisonOptions comparison;
  bool progress = false;
  std::uint64_t failures = 5;
  std::vector<std::string> files;
};

std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Slice> slice_in(const std::string& text) {
  const std::size_t bar = text.find('/');
  if (bar == std::string::npos) return std::nullopt;
  const std::optional<std::uint64_t> number = number_in(text.substr(0, bar)), count = number_in(text.substr(bar + 1));
  if (!number || !count || *number >= *count) return std::nullopt;
  return Slice{*number, *count};
}

std::optional<Settings> settings_called(const std::string& name) {
  if (name == "one") return Settings::one;
  if (name == "two") return Settings::two;
  if (name == "three") return Settings::three;
  if (name == "each") return Settings::each;
  return std::nullopt;
}

// Options without a value. False: it is none.
bool parse_switch(const std::string& name, Arguments& arguments) {
  if (name == "--families") {
    arguments.list_families = true;
  } else if (name == "--compiled") {
    arguments.comparison.compiled = true;
  } else if (name == "--progress") {
    arguments.progress = true;
  } else if (name == "--tso-failed-cas-reads") {
    arguments.comparison.models.failed_compare_exchange_drains = false;
  } else if (name == "--failed-trylock-relaxed") {
    arguments.comparison.models.failed_trylock_acquires = false;
  } else {
    return false;
  }
  return true;
}

// Options whose value is a word. False: it is none, or not with that word.
bool parse_word(const std::string& name, const std::string& word, Arguments& arguments) {
  if (name == "--feature") {
    arguments.every_feature = word == "all";
    if (arguments.every_feature) return true;
    if (!feature_called(word)) return false;
    arguments.random.feature = *feature_called(word);
  } else if (name == "--model") {
    if (word == "all") return true;
    if (!model_called(word)) return false;
    arguments.models = {*model_called(word)};
  } else if (name == "--family") {
    arguments.family = word;
  } else if (name == "--slice") {
    if (!slice_in(word)) return false;
    arguments.slice = *slice_in(word);
  } else if (name == "--settings") {
    if (!settings_called(word)) return false;
    arguments.settings = settings_called(word);
  } else {
    return false;
  }
  return true;
}

bool parse_number(const std::string& name, std::uint64_t number, Arguments& arguments) {
  if (name == "--seed") {
    arguments.seed = number;
  } else if (name == "--count") {
    arguments.count = number;
  } else if (name == "--failures") {
    arguments.failures = number;
  } else if (name == "--events" && number >= 2 && number <= 16) {
    arguments.random.event_limit = static_cast<int>(number);
  } else {
    return false;
  }
  return true;
}

std::optional<Arguments> parse_arguments(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i < count; i++) {
    const std::string name = values[i];
    if (parse_switch(name, arguments)) continue;
    if (!name.starts_with("--")) {
      arguments.files.push_back(name);
      continue;
    }
    if (++i >= count) return std::nullopt;
    const std::optional<std::uint64_t> number = number_in(values[i]);
    const bool good = number ? parse_number(name, *number, arguments) : parse_word(name, values[i], arguments);
    if (!good) return std::nullopt;
  }
  return arguments;
}

class Session {
 public:
  Session(const Arguments& arguments, const std::vector<ReferenceModel>& models)
      : arguments_(arguments), models_(models) {}

  // False once enough has failed. `turn` is for settings that take turns; `defaults` leaves those out unless they were
  // asked for.
  bool check(const LitmusProgram& program, const std::string& name, std::uint64_t turn, bool defaults) {
    programs_++;
    ComparisonOptions options = arguments_.comparison;
    options.settings = arguments_.settings.value_or(defaults ? Settings::one : Settings::two);
    options.turn = turn;
    if (!compare(program, models_, options).empty()) {
      failures_++;
      std::printf("%s\n%s\n", name.c_str(), explain_failure(program, models_, options).c_str());
      std::fflush(stdout);
    }
    tell_progress(name);
    return failures_ < arguments_.failures;
  }

  bool check_file(const std::string& file) {
    std::ifstream stream(file);
    std::stringstream text;
    text << stream.rdbuf();
    const Result<LitmusProgram> program = parse_program(text.str(), file);
    if (stream && program) return check(*program, file, 0, false);
    const std::string problem = stream ? program.problems()[0].message : "cannot be read";
    std::fprintf(stderr, "%s: %s\n", file.c_str(), problem.c_str());
    failures_++;
    return failures_ < arguments_.failures;
  }

  int finish() const {
    std::printf("%llu programs, %llu differ\n", static_cast<unsigned long long>(programs_),
                static_cast<unsigned long long>(failures_));
    return failures_ == 0 ? 0 : 1;
  }

 private:
  void tell_progress(const std::string& name) {
    const auto now = std::chrono::steady_clock::now();
    if (!arguments_.progress || now - told_ < std::chrono::minutes(1)) return;
    told_ = now;
    std::printf("%s: %llu programs so far\n", name.c_str(), static_cast<unsigned long long>(programs_));
    std::fflush(stdout);
  }

  const Arguments& arguments_;
  const std::vector<ReferenceModel> models_;
  std::uint64_t programs_ = 0, failures_ = 0;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

int list_families(const std::vector<Family>& families) {
  for (const Family& family : families) {
    std::string models;
    for (const ReferenceModel model : family.models) models += (models.empty() ? "" : ",") + std::string(name_of(model));
    std::printf("%s %llu %s %s\n", family.name.c_str(), static_cast<unsigned long long>(family.programs().count()),
                family.is_huge ? "huge" : "whole", models.c_str());
    std::fflush(stdout);
  }
  return 0;
}

int run_family(const Arguments& arguments, const std::vector<Family>& families) {
  const auto family = std::find_if(families.begin(), families.end(),
                                   [&](const Family& other) { return other.name == arguments.family; });
  if (family == families.end()) {
    std::fprintf(stderr, "no family is called %s; --families lists them\n", arguments.family.c_str());
    return 2;
  }
  Session session(arguments, family->models);
  family->programs().for_each(arguments.slice, [&](std::uint64_t number, const LitmusProgram& program) {
    return session.check(program, family->name + " " + std::to_string(number), number / 8, number % 8 != 0);
  });
  return session.finish();
}

int run(const Arguments& arguments) {
  if (arguments.list_families || !arguments.family.empty()) {
    const Result<std::vector<Family>> families = all_families(HEDDLE_MODELS_DIR);
    if (!families) {
      std::fprintf(stderr, "%s: %s\n", families.problems()[0].file.c_str(), families.problems()[0].message.c_str());
      return 2;
    }
    return arguments.list_families ? list_families(*families) : run_family(arguments, *families);
  }
  Session session(arguments, arguments.models);
  for (const std::string& file : arguments.files) {
    if (!session.check_file(file)) return session.finish();
  }
  const std::uint64_t count = arguments.count.value_or(arguments.files.empty() ? 300 : 0);
  for (std::uint64_t seed = arguments.seed; seed < arguments.seed + count; seed++) {
    RandomProgramOptions options = arguments.random;
    if (arguments.every_feature) options.feature = feature_at_turn(seed);
    const LitmusProgram program = random_program(seed, options);
    const std::string name = "seed " + std::to_string(seed) + ", feature " + name_of(options.feature);
    const std::uint64_t turn = seed / std::size(all_features);
    if (!session.check(program, name, turn / 8, turn % 8 != 0)) break;
  }
  return session.finish();
}

}  // namespace
}  // namespace heddle::cross_check

int main(int count, char** values) {
  const auto arguments = heddle::cross_check::parse_arguments(count, values);
  if (!arguments) {
    std::fputs(heddle::cross_check::usage, stderr);
    return 2;
  }
  return heddle::cross_check::run(*arguments);
}
